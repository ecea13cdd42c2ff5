/** Which device is this? Devices by the pair that people and the wire use, one or thousands of them. */

import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { DeviceRef } from '#ports/event-bus.ts'

export const unknownDevice = ({ productID, deviceName }: DeviceKey) =>
  refusal(errors.notFound, '产品 {productID} 下没有设备 {deviceName}', { productID, deviceName })

/** As a key of maps. */
export const spellKey = ({ productID, deviceName }: DeviceKey) => `${productID}/${deviceName}`

/** The columns that a device is named by. */
export interface DeviceRefRow {
  device_id: number
  product_id: string
  device_name: string
}

export const toDeviceRef = (row: DeviceRefRow): DeviceRef => ({
  productID: row.product_id,
  deviceName: row.device_name,
  deviceID: row.device_id,
})

/** What was found, in the order of the keys; a key that is given twice counts once. */
export function matchKeys<T extends DeviceKey>(keys: DeviceKey[], rows: T[]): { found: T[]; missing: DeviceKey[] } {
  const known = new Map(rows.map((row) => [spellKey(row), row]))
  const asked = new Map(keys.map((key) => [spellKey(key), key]))
  return {
    found: [...asked.keys()].flatMap((name) => known.get(name) ?? []),
    missing: [...asked].flatMap(([name, { productID, deviceName }]) =>
      known.has(name) ? [] : [{ productID, deviceName }],
    ),
  }
}

/** A table of the keys, as `asked`. */
export const askedKeys = (keys: DeviceKey[]) => sql`
  unnest(${keys.map((key) => key.productID)}::text[], ${keys.map((key) => key.deviceName)}::text[])
    as asked (product_id, device_name)`

/** Thousands of keys in one round trip. */
export async function findByKeys(db: Db, keys: DeviceKey[]) {
  const { rows } = await sql<DeviceRefRow & { device_type: number }>`
    select d.device_id, d.product_id, d.device_name, p.device_type from ${askedKeys(keys)}
    join device d using (product_id, device_name)
    join product p using (product_id)`.execute(db)
  return matchKeys(
    keys,
    rows.map((row) => ({ ...toDeviceRef(row), deviceType: row.device_type })),
  )
}

/** The sentence names the first few that do not exist. */
export function refuseMissing(missing: DeviceKey[]): void {
  const [first] = missing
  if (!first) return
  if (missing.length === 1) throw unknownDevice(first)
  const values = { count: missing.length, devices: missing.slice(0, 5).map(spellKey) }
  throw new AppError(errors.notFound, {
    detail:
      missing.length > 5
        ? phrase('{count} 台设备不存在：{devices} 等', values)
        : phrase('{count} 台设备不存在：{devices}', values),
  })
}

/** For all-or-nothing operations. */
export async function requireDevices(db: Db, keys: DeviceKey[]) {
  const { found, missing } = await findByKeys(db, keys)
  refuseMissing(missing)
  return found
}

export async function requireDevice(db: Db, key: DeviceKey) {
  const [device] = await requireDevices(db, [key])
  if (!device) throw unknownDevice(key)
  return device
}
