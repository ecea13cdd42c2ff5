/** Clusters of devices in a part of the map: from the kept cells, and from the devices themselves where these are few. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { badField } from '@ithings/contract/errors.ts'
import type { HomeCluster, HomeMap, readHomeMap } from '@ithings/contract/features/home.ts'
import type { Language } from '@ithings/contract/text.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { cityIn } from './cities.ts'
import type { HomeDeps } from './home-deps.ts'
import { type CellRow, clustersOfDevices } from './map-devices.ts'
import { baseLevel, type CellRange, levelFor, rangesOf } from './map-grid.ts'
import { visiblePartsOf } from './visible-parts.ts'

interface DeviceRow {
  nr: number
  productID: string
  deviceName: string
  deviceAlias: string
}

/** A cluster of one is a device: found by its place, which is exact when nothing was added to it. */
async function nameSingles(db: Db, clusters: HomeCluster[], productID: string): Promise<HomeCluster[]> {
  const singles = clusters.filter(({ total }) => total === 1)
  if (singles.length === 0) return clusters
  const { rows } = await sql<DeviceRow>`
    select (nr - 1)::integer as nr, found.product_id as "productID", found.device_name as "deviceName",
      found.device_alias as "deviceAlias"
    from unnest(${singles.map(({ longitude }) => longitude)}::float8[], ${singles.map(({ latitude }) => latitude)}::float8[])
      with ordinality as given (longitude, latitude, nr)
    cross join lateral (
      select product_id, device_name, device_alias from device
      where device.latitude = given.latitude and device.longitude = given.longitude
        and (device.longitude <> 0 or device.latitude <> 0)
        ${productID === '' ? sql`` : sql`and device.product_id = ${productID}`} limit 1) found`.execute(db)
  const found = new Map(rows.map(({ nr, ...device }) => [singles[nr], device]))
  return clusters.map((cluster) => ({ ...cluster, ...found.get(cluster) }))
}

const mostWorst = 5
/** A city of two devices with one offline is no news. */
const leastDevices = 10

const inRanges = (ranges: CellRange[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    ranges.map(
      ({ west, east, south, north }) => sql`(x between ${west} and ${east} and y between ${south} and ${north})`,
    ),
    sql` or `,
  )})`

/** Cells of level 10 below those of a coarser level. */
const spread = (range: CellRange, shift: number): CellRange => ({
  west: range.west << shift,
  south: range.south << shift,
  east: ((range.east + 1) << shift) - 1,
  north: ((range.north + 1) << shift) - 1,
})

type CityPart = CellRow & { city: string }

const totalOf = (part: Pick<CityPart, 'online' | 'offline' | 'inactive'>) => part.online + part.offline + part.inactive

/** A cluster stands where its largest city stands: the middle of two cities is a field. */
function joinParts(parts: CityPart[]): HomeCluster {
  const [first, ...others] = parts.toSorted((a, b) => totalOf(b) - totalOf(a)) as [CityPart, ...CityPart[]]
  const sum = (of: (part: CityPart) => number) => others.reduce((total, part) => total + of(part), of(first))
  return {
    longitude: first.longitude / totalOf(first),
    latitude: first.latitude / totalOf(first),
    total: sum(totalOf),
    online: sum((part) => part.online),
    offline: sum((part) => part.offline),
    inactive: sum((part) => part.inactive),
    level: Math.max(first.level, ...others.map((part) => part.level)),
    places: [first, ...others].map(({ city: name, online, offline, inactive }) => ({
      name,
      online,
      offline,
      inactive,
    })),
    productID: '',
    deviceName: '',
    deviceAlias: '',
  }
}

async function clustersOfCells(db: Db, ranges: CellRange[], level: number, productID: string): Promise<HomeCluster[]> {
  const shift = baseLevel - level
  const { rows } = await sql<CityPart>`
    select cell.x::integer >> ${sql.lit(shift)} as x, cell.y::integer >> ${sql.lit(shift)} as y, coalesce(city, '') as city,
      sum(online)::integer as online, sum(offline)::integer as offline, sum(inactive)::integer as inactive,
      sum(longitude) as longitude, sum(latitude) as latitude, max(level) as level
    from (select * from home_cell where product_id = ${productID}
      and ${inRanges(ranges.map((range) => spread(range, shift)))}) cell
    left join home_place using (x, y) group by 1, 2, 3`.execute(db)
  const byCell = Map.groupBy(rows, ({ x, y }) => `${x}/${y}`)
  return [...byCell.values()].map(joinParts)
}

/** Of the whole map: a list that changes while the map is moved tells nobody anything. */
async function readWorst(db: Db, productID: string): Promise<HomeMap['worst']> {
  const { rows } = await sql<HomeMap['worst'][number]>`
    select city as name, sum(longitude) / sum(online + offline + inactive) as longitude,
      sum(latitude) / sum(online + offline + inactive) as latitude,
      sum(online + offline + inactive)::integer as total, sum(offline)::integer as offline
    from home_cell join home_place using (x, y)
    where product_id = ${productID} and city <> '' group by city
    having sum(online + offline + inactive) >= ${sql.lit(leastDevices)} and sum(offline) > 0
    order by sum(offline)::float8 / sum(online + offline + inactive) desc, sum(offline) desc, city
    limit ${sql.lit(mostWorst)}`.execute(db)
  return rows
}

async function readUnplaced(db: Db, productID: string): Promise<number> {
  const { rows } = await sql<{ unplaced: number }>`
    select online + offline + inactive as unplaced from home_cell
    where product_id = ${productID} and x = -1 and y = -1`.execute(db)
  return rows[0]?.unplaced ?? 0
}

async function readClusters(db: Db, { box, zoom }: BodyOutput<typeof readHomeMap>, productID: string) {
  const level = levelFor(box, zoom)
  if (level <= baseLevel) return clustersOfCells(db, rangesOf(box, level), level, productID)
  return (
    (await clustersOfDevices(db, rangesOf(box, level), level, productID)) ??
    clustersOfCells(db, rangesOf(box, baseLevel), baseLevel, productID)
  )
}

/** Places in the language of the reader. */
function inWords({ clusters, worst, unplaced }: HomeMap, language: Language): HomeMap {
  const named = <T extends { name: string }>(place: T): T => ({ ...place, name: cityIn(language, place.name) })
  return {
    clusters: clusters.map((one) => ({ ...one, places: one.places.map(named) })),
    worst: worst.map(named),
    unplaced,
  }
}

export async function readMap(
  deps: HomeDeps,
  input: BodyOutput<typeof readHomeMap>,
  { role, language }: Pick<SignedInUser, 'role' | 'language'>,
): Promise<HomeMap> {
  const { db } = deps
  const visible = await visiblePartsOf(deps, role)
  visible.require('device')
  const [, south, , north] = input.box
  // West of more than east crosses the date line; a south above the north is nowhere.
  if (south > north) throw badField('box', '地图范围的南界 {south} 大于北界 {north}', { south, north })
  const productID = input.productID ?? ''
  const [clusters, worst, unplaced] = await Promise.all([
    readClusters(db, input, productID),
    readWorst(db, productID),
    readUnplaced(db, productID),
  ])
  const named = await nameSingles(db, clusters, productID)
  const shown = visible.sees('alarm') ? named : named.map((one) => ({ ...one, level: 0 }))
  const asked = input.alarmed ? shown.filter(({ level }) => level > 0) : shown
  return inWords({ clusters: asked, worst, unplaced }, language)
}
