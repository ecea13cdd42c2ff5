/** The sub-devices that no gateway has, newest first; among a million devices as quick as the device list. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listBindCandidates as listEndpoint } from '@ithings/contract/features/devices/gateway.ts'
import { DeviceType } from '@ithings/contract/features/products/info.ts'
import { pageWindow } from '@ithings/contract/paging.ts'
import { sql } from 'kysely'
import { devicesByID, toDevice } from '#db/device-rows.ts'
import { devicesWithWord } from '#db/device-words.ts'
import type { Db } from '#db/schema.ts'

type Input = BodyOutput<typeof listEndpoint>

async function subDeviceProducts(db: Db, productID: string | undefined): Promise<string[]> {
  const rows = await db
    .selectFrom('product')
    .select('product_id')
    .where('device_type', '=', DeviceType.subDevice)
    .$if(productID !== undefined, (q) => q.where('product_id', '=', productID ?? ''))
    .execute()
  return rows.map((row) => row.product_id)
}

/** All of these products, as the triggers count them, without those that are bound: only sub-devices ever are. */
async function freeOf(db: Db, products: string[], productID: string | undefined): Promise<number> {
  const bound =
    productID === undefined
      ? sql`select count(*) from gateway_device`
      : sql`select count(*) from gateway_device join device using (device_id) where product_id = ${productID}`
  const { rows } = await sql<{ total: number }>`
    select (select coalesce(sum(devices), 0) from device_tally where product_id = any(${products}::text[]))::bigint
      - (${bound}) as total`.execute(db)
  return rows[0]?.total ?? 0
}

export async function listBindCandidates(db: Db, { page, productID, deviceName }: Input) {
  const products = await subDeviceProducts(db, productID)
  const named = deviceName === undefined ? sql`` : await devicesWithWord(db, ['name'], deviceName, products)
  if (products.length === 0 || !named) return { list: [], total: 0 }
  const matches = sql`
    from device where product_id = any(${products}::text[])
    ${deviceName === undefined ? sql`` : sql`and device_id in (${named})`}
    and not exists (select from gateway_device where gateway_device.device_id = device.device_id)`
  const counted =
    deviceName === undefined
      ? await freeOf(db, products, productID)
      : (await sql<{ total: number }>`select count(*) as total ${matches}`.execute(db)).rows[0]?.total
  const total = counted ?? 0
  const { offset, limit } = pageWindow(page, total)
  const { rows } = await sql<{ device_id: number }>`
    select device_id ${matches} order by created_at desc, device_id desc limit ${limit} offset ${offset}`.execute(db)
  const list = await devicesByID(
    db,
    rows.map((row) => row.device_id),
  )
  return { list: list.map((row) => toDevice(row)), total }
}
