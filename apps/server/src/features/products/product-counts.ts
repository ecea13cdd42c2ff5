/** How many devices and functions products have: one query each for all rows of a page. */
import { FunctionType } from '@ithings/contract/thing-model/model.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

export interface ProductCounts {
  devices: number
  online: number
  properties: number
  events: number
  actions: number
}

const none: ProductCounts = { devices: 0, online: 0, properties: 0, events: 0, actions: 0 }
/** Value of device.status for a device that is connected. */
const online = 1

export async function countsOf(db: Db, productIDs: string[]): Promise<(productID: string) => ProductCounts> {
  if (productIDs.length === 0) return () => none
  const [devices, functions] = await Promise.all([
    db
      .selectFrom('device_tally')
      .select([
        'product_id',
        sql<number>`sum(devices)::bigint`.as('devices'),
        sql<number>`coalesce(sum(devices) filter (where status = ${online}), 0)::bigint`.as('online'),
      ])
      .where('product_id', 'in', productIDs)
      .groupBy('product_id')
      .execute(),
    db
      .selectFrom('product_function')
      .select(['product_id', 'type', sql<number>`count(*)`.as('count')])
      .where('product_id', 'in', productIDs)
      .groupBy(['product_id', 'type'])
      .execute(),
  ])
  const byProduct = new Map(productIDs.map((productID) => [productID, { ...none }]))
  for (const row of devices) {
    Object.assign(byProduct.get(row.product_id) ?? {}, { devices: row.devices, online: row.online })
  }
  const members = {
    [FunctionType.property]: 'properties',
    [FunctionType.event]: 'events',
    [FunctionType.action]: 'actions',
  } as const
  for (const row of functions) {
    const counts = byProduct.get(row.product_id)
    if (counts) counts[members[row.type as FunctionType]] = row.count
  }
  return (productID) => byProduct.get(productID) ?? none
}

/** Devices of any state; the rows themselves are not counted, a million would take too long. */
export async function countDevices(db: Db, productID: string): Promise<number> {
  return (await countsOf(db, [productID]))(productID).devices
}
