import { DeviceStatus } from '@ithings/contract/features/devices/info.ts'
import type { HomeCluster } from '@ithings/contract/features/home.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { HomeCellTable } from '#db/tables/home.ts'
import { baseColumns, baseLevel, type CellRange, degreesOf, rowOf } from './map-grid.ts'
import { nearestCity } from './nearest-city.ts'

/** More devices than this are not grouped on the spot, and no more index entries are passed for it. */
const mostGrouped = 20_000
const mostPassed = 80_000

/** A cell of whatever size, with what is in it. */
export type CellRow = Omit<HomeCellTable, 'product_id'>

/** The box of one range, as the index of places wants it. */
function inRange(range: CellRange, level: number): RawBuilder<boolean> {
  const { west, south, east, north } = degreesOf(range, level)
  return sql<boolean>`(latitude >= ${south} and latitude < ${north} and longitude >= ${west} and longitude < ${east})`
}

/** The index is ordered by latitude: all devices between south and north are passed, however far east. */
async function countBand(db: Db, ranges: CellRange[], level: number): Promise<number> {
  const [range] = ranges
  if (!range) return 0
  const { south, north } = degreesOf(range, level)
  const size = sql.lit(360 / baseColumns)
  // Of rows of cells that lie partly inside, that part.
  const { rows } = await sql<{ band: number }>`
    select coalesce(sum((online + offline + inactive) * (least(${north}::float8, (y + 1) * ${size} - 90)
      - greatest(${south}::float8, y * ${size} - 90)) / ${size}), 0)::float8 as band
    from home_cell where product_id = '' and x >= 0
      and y between ${rowOf(south, baseLevel)} and ${rowOf(Math.min(90, north), baseLevel)}`.execute(db)
  return rows[0]?.band ?? 0
}

const emptyDevice = { productID: '', deviceName: '', deviceAlias: '' }

/** Devices grouped on the spot, all from the index of places. @returns undefined when there are too many for that */
export async function clustersOfDevices(
  db: Db,
  ranges: CellRange[],
  level: number,
  productID: string,
): Promise<HomeCluster[] | undefined> {
  if ((await countBand(db, ranges, level)) > mostPassed) return undefined
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
      from (select longitude, latitude, status from device
        where (longitude <> 0 or latitude <> 0) and ${inside} limit ${sql.lit(mostGrouped + 1)}) found group by 1, 2
    ), alerts as (
      select ${x} as x, ${y} as y, max(level) as level from home_alert where ${inside} group by 1, 2
    )
    select cells.*, coalesce(level, 0) as level from cells left join alerts using (x, y)`.execute(db)
  const clusters = rows.map(({ online, offline, inactive, longitude, latitude, level }) => {
    const counts = { online, offline, inactive }
    const places = [{ name: nearestCity(longitude, latitude), ...counts }]
    return { longitude, latitude, total: online + offline + inactive, ...counts, level, places, ...emptyDevice }
  })
  const found = clusters.reduce((sum, { total }) => sum + total, 0)
  return found > mostGrouped ? undefined : clusters
}
