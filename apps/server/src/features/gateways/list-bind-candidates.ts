/** The sub-devices that no gateway has, newest first; among a million devices as quick as the device list. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listBindCandidates as listEndpoint } from '@ithings/contract/features/gateways.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { type PageInput, pageWindow } from '@ithings/contract/paging.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { devicesByID, devicesWithWord, toDevice } from '#features/devices/door.ts'

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

interface Found {
  ids: number[]
  total: number
}

/** How many devices have a word no planner knows: so they are collected first, and only these are sorted. */
async function named(db: Db, free: RawBuilder<unknown>, word: RawBuilder<unknown>, page: PageInput): Promise<Found> {
  const matches = sql`
    with matches as materialized (select device_id, created_at ${free} and device_id in (${word}))`
  const counted = await sql<{ total: number }>`${matches} select count(*) as total from matches`.execute(db)
  const total = counted.rows[0]?.total ?? 0
  const { offset, limit } = pageWindow(page, total)
  const { rows } = await sql<{ device_id: number }>`${matches}
    select device_id from matches order by created_at desc, device_id desc limit ${limit} offset ${offset}`.execute(db)
  return { ids: rows.map((row) => row.device_id), total }
}

async function anyName(db: Db, free: RawBuilder<unknown>, total: number, page: PageInput): Promise<Found> {
  const { offset, limit } = pageWindow(page, total)
  const { rows } = await sql<{ device_id: number }>`
    select device_id ${free} order by created_at desc, device_id desc limit ${limit} offset ${offset}`.execute(db)
  return { ids: rows.map((row) => row.device_id), total }
}

export async function listBindCandidates(db: Db, { page, productID, deviceName }: Input) {
  const products = await subDeviceProducts(db, productID)
  if (products.length === 0) return { list: [], total: 0 }
  const free = sql`
    from device where product_id = any(${products}::text[])
    and not exists (select from gateway_device where gateway_device.device_id = device.device_id)`
  const word = deviceName === undefined ? undefined : await devicesWithWord(db, ['name'], deviceName, products)
  if (deviceName !== undefined && !word) return { list: [], total: 0 }
  const { ids, total } = word
    ? await named(db, free, word, page)
    : await anyName(db, free, await freeOf(db, products, productID), page)
  const list = await devicesByID(db, ids)
  return { list: list.map((row) => toDevice(row)), total }
}
