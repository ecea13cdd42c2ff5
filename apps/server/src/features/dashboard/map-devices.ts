import { DeviceStatus } from '@ithings/contract/features/devices/info.ts'
import type { HomeCluster } from '@ithings/contract/features/home.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { type CellRange, degreesOf } from './map-grid.ts'
import { nearestCity } from './nearest-city.ts'

interface CellRow {
  x: number
  y: number
  online: number
  offline: number
  inactive: number
  longitude: number
  latitude: number
  level: number
}

/** The box of one range, as the index of places wants it. */
function inRange(range: CellRange, level: number): RawBuilder<boolean> {
  const { west, south, east, north } = degreesOf(range, level)
  return sql<boolean>`(latitude >= ${south} and latitude < ${north} and longitude >= ${west} and longitude < ${east})`
}

/** Devices grouped on the spot; all from the index of places. */
export async function clustersOfDevices(
  db: Db,
  ranges: CellRange[],
  level: number,
  productID: string,
): Promise<HomeCluster[]> {
  const columns = 2 ** level
  const x = sql`least(floor((longitude + 180) * ${sql.lit(columns)} / 360), ${sql.lit(columns - 1)})::integer`
  const y = sql`least(floor((latitude + 90) * ${sql.lit(columns)} / 360), ${sql.lit(columns / 2 - 1)})::integer`
  const inside = sql<boolean>`(${sql.join(
    ranges.map((range) => inRange(range, level)),
    sql` or `,
  )}) ${productID === '' ? sql`` : sql`and product_id = ${productID}`}`
  const of = (status: number) => sql`count(*) filter (where status = ${sql.lit(status)})::integer`
  const { rows } = await sql<CellRow>`
    with cells as (
      select ${x} as x, ${y} as y, ${of(DeviceStatus.online)} as online, ${of(DeviceStatus.offline)} as offline,
        ${of(DeviceStatus.inactive)} as inactive, avg(longitude) as longitude, avg(latitude) as latitude
      from device where (longitude <> 0 or latitude <> 0) and ${inside} group by 1, 2
    ), alerts as (
      select ${x} as x, ${y} as y, max(level) as level from home_alert where ${inside} group by 1, 2
    )
    select cells.*, coalesce(level, 0) as level from cells left join alerts using (x, y)`.execute(db)
  return rows.map(({ x: _x, y: _y, ...row }) => ({
    ...row,
    total: row.online + row.offline + row.inactive,
    name: nearestCity(row.longitude, row.latitude),
    productID: '',
    deviceName: '',
    deviceAlias: '',
  }))
}
