import { dayMs, minuteMs } from '@ithings/contract/durations.ts'
import { DeviceStatus } from '@ithings/contract/features/devices/info.ts'
import type { HomeSummary, StatusCounts } from '@ithings/contract/features/home.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

type Totals = Pick<HomeSummary, 'products' | 'totals' | 'byType' | 'byProduct'>

interface ProductRow {
  product_id: string
  product_name: string
  device_type: number
  online: number
  offline: number
  inactive: number
}

const mostProducts = 20

/** All from the tally, one row a product. */
export async function readTotals(db: Db): Promise<Totals> {
  const of = (status: number) => sql`coalesce(sum(devices) filter (where status = ${sql.lit(status)}), 0)::bigint`
  const { rows } = await sql<ProductRow>`
    select product_id, product_name, device_type, coalesce(online, 0) as online, coalesce(offline, 0) as offline,
      coalesce(inactive, 0) as inactive
    from product left join (
      select product_id, ${of(DeviceStatus.online)} as online, ${of(DeviceStatus.offline)} as offline,
        ${of(DeviceStatus.inactive)} as inactive
      from device_tally group by product_id) counted using (product_id)`.execute(db)
  const sum = (count: (row: ProductRow) => number, list = rows) => list.reduce((total, row) => total + count(row), 0)
  const totalOf = (row: ProductRow) => row.online + row.offline + row.inactive
  const ofType = (type: number) =>
    sum(
      totalOf,
      rows.filter((row) => row.device_type === type),
    )
  return {
    products: rows.length,
    totals: {
      total: sum(totalOf),
      online: sum((row) => row.online),
      offline: sum((row) => row.offline),
      inactive: sum((row) => row.inactive),
    },
    byType: {
      device: ofType(DeviceType.device),
      gateway: ofType(DeviceType.gateway),
      subset: ofType(DeviceType.subDevice),
    },
    byProduct: rows
      .map((row) => ({ productID: row.product_id, productName: row.product_name, total: totalOf(row) }))
      .toSorted((a, b) => b.total - a.total || a.productID.localeCompare(b.productID))
      .slice(0, mostProducts),
  }
}

/** So far from the same time yesterday a sample may lie: a restart then must not empty the screen now. */
const nearMs = 15 * minuteMs

export async function readChange(db: Db, now: number, totals: StatusCounts): Promise<StatusCounts | null> {
  const yesterday = now - dayMs
  const { rows } = await sql<StatusCounts>`
    select total, online, offline, inactive from home_sample
    where at between ${yesterday - nearMs} and ${yesterday + nearMs} order by abs(at - ${yesterday}) limit 1`.execute(
    db,
  )
  const [then] = rows
  if (!then) return null
  return {
    total: totals.total - then.total,
    online: totals.online - then.online,
    offline: totals.offline - then.offline,
    inactive: totals.inactive - then.inactive,
  }
}
