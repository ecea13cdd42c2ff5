/** CSV import (http-api.md 4.2): good rows are created although others fail; a dry run only says what would happen. */

import { readFile } from 'node:fs/promises'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { ImportRow, importDevices as importEndpoint } from '@ithings/contract/features/devices/bulk.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { places, seal } from '#db/sealed.ts'
import { makeSecret } from '#db/secrets.ts'
import type { UploadedFile } from '#http/receive-form.ts'
import { announceDevices } from '../announce-devices.ts'
import { findByKeys, spellKey } from '../device-keys.ts'
import type { DevicesDeps } from '../devices-deps.ts'
import { insertDevice } from '../new-device.ts'
import { checkRow, type NewDevice } from './check-row.ts'
import { readRows } from './read-rows.ts'

const batchSize = 500

/** Ids by what the first column may say: a product's name, which comes first where it is the id of another, or its id. */
async function productIDs(db: Db, rows: ImportRow[]): Promise<Map<string, string>> {
  const names = [...new Set(rows.map((row) => row.productName))]
  const found = await db
    .selectFrom('product')
    .select(['product_id', 'product_name'])
    .where(sql<boolean>`product_name = any(${names}::text[]) or product_id = any(${names}::text[])`)
    .execute()
  return new Map([
    ...found.map((row) => [row.product_id, row.product_id] as const),
    ...found.map((row) => [row.product_name, row.product_id] as const),
  ])
}

/** Twice in the file, or in the database already. */
async function splitDuplicates(db: Db, devices: NewDevice[], tips: Map<number, string>): Promise<NewDevice[]> {
  const { found } = await findByKeys(db, devices)
  const taken = new Set(found.map(spellKey))
  const first = new Map<string, number>()
  return devices.filter((device) => {
    const earlier = first.get(spellKey(device))
    if (earlier === undefined) first.set(spellKey(device), device.row.row)
    if (earlier === undefined && !taken.has(spellKey(device))) return true
    const { deviceName } = device
    tips.set(
      device.row.row,
      earlier === undefined
        ? kept('设备名称重复:{deviceName}', { deviceName })
        : kept('设备名称重复:{deviceName}（与第 {earlier} 行相同）', { deviceName, earlier }),
    )
    return false
  })
}

/** One statement: all or none, and the triggers run once. Answers the keys that were new. */
async function insertBatch(db: Db, devices: NewDevice[]): Promise<Set<string>> {
  const { rows } = await sql<{ product_id: string; device_name: string }>`
    insert into device
      (product_id, device_name, device_alias, secret, log_level, tags, longitude, latitude, address)
    select product_id, device_name, device_alias, secret, log_level, tags::jsonb, longitude, latitude, address
    from unnest(
      ${devices.map((one) => one.productID)}::text[],
      ${devices.map((one) => one.deviceName)}::text[],
      ${devices.map((one) => one.deviceAlias)}::text[],
      ${devices.map((one) => seal(db, places.device(one.productID, one.deviceName), one.secret || makeSecret()))}::text[],
      ${devices.map((one) => one.logLevel)}::smallint[],
      ${devices.map((one) => JSON.stringify(one.tags))}::text[],
      ${devices.map((one) => one.longitude)}::float8[],
      ${devices.map((one) => one.latitude)}::float8[],
      ${devices.map((one) => one.address)}::text[]
    ) as made (product_id, device_name, device_alias, secret, log_level, tags, longitude, latitude, address)
    on conflict (product_id, device_name) do nothing
    returning product_id, device_name`.execute(db)
  return new Set(rows.map((row) => spellKey({ productID: row.product_id, deviceName: row.device_name })))
}

/** After a batch was refused as a whole, each row finds out for itself whether it was the reason. */
async function insertOneByOne(db: Db, devices: NewDevice[], tips: Map<number, string>): Promise<void> {
  for (const device of devices) {
    try {
      await insertDevice(db, {
        product_id: device.productID,
        device_name: device.deviceName,
        device_alias: device.deviceAlias,
        secret: device.secret || makeSecret(),
        log_level: device.logLevel,
        tags: JSON.stringify(device.tags),
        longitude: device.longitude,
        latitude: device.latitude,
        address: device.address,
      })
    } catch (cause) {
      if (cause instanceof AppError) tips.set(device.row.row, cause.kept())
      // 22021: text that PostgreSQL cannot hold.
      else if ((cause as { code?: string }).code === '22021') tips.set(device.row.row, kept('文本含有不能保存的字符'))
      else throw cause
    }
  }
}

async function store(db: Db, devices: NewDevice[], tips: Map<number, string>): Promise<void> {
  for (let at = 0; at < devices.length; at += batchSize) {
    const batch = devices.slice(at, at + batchSize)
    try {
      const made = await insertBatch(db, batch)
      for (const device of batch.filter((one) => !made.has(spellKey(one)))) {
        tips.set(device.row.row, kept('设备名称重复:{deviceName}', { deviceName: device.deviceName }))
      }
    } catch {
      await insertOneByOne(db, batch, tips)
    }
  }
}

type Input = BodyOutput<typeof importEndpoint>

export async function importDevices(deps: DevicesDeps, { dryRun = false }: Input, file: UploadedFile | undefined) {
  if (!file) throw new AppError(errors.parameter, { msg: phrase('请上传csv文件'), field: 'file' })
  if (!/\.csv$/i.test(file.name)) throw new AppError(errors.parameter, { msg: phrase('仅支持csv文件'), field: 'file' })
  const { headers, rows } = readRows(await readFile(file.path))
  const products = await productIDs(deps.db, rows)
  const tips = new Map<number, string>()
  const readable: NewDevice[] = []
  for (const row of rows) {
    const checked = checkRow(row, products)
    if ('error' in checked) tips.set(row.row, checked.error)
    else readable.push(checked)
  }
  const fresh = await splitDuplicates(deps.db, readable, tips)
  if (!dryRun && fresh.length > 0) {
    await store(deps.db, fresh, tips)
    await announceDevices(
      deps.signal,
      fresh.filter((device) => !tips.has(device.row.row)),
    )
  }
  const failed = rows.flatMap((row) => {
    const tip = tips.get(row.row)
    return tip === undefined ? [] : [{ ...row, tips: tip }]
  })
  return {
    total: rows.length,
    headers,
    errdata: failed.length > 0 ? failed : null,
    success: rows.length - failed.length,
  }
}
