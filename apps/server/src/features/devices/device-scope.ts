/** From the filter of the contract to SQL: what a filter means, in one place for list, count, export and groups. */
import type { DeviceFilter } from '@ithings/contract/features/devices/info.ts'
import type { Point } from '@ithings/contract/wire.ts'
import { type RawBuilder, sql } from 'kysely'
import { containsPattern } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { devicesWithWord, type WordField } from './device-words.ts'

/** Devices around a point: a box that the index understands, then the distance on the sphere. */
const earthRadius = 6_371_008.8
const degrees = (radians: number) => (radians * 180) / Math.PI
const radians = (angle: number) => (angle * Math.PI) / 180

/** A range that crosses the date line is two ranges; one that reaches a pole has every longitude. */
function longitudes({ longitude, latitude }: Point, angle: number): RawBuilder<boolean> {
  const reachesPole = Math.abs(latitude) + degrees(angle) >= 90
  if (reachesPole) return sql<boolean>`true`
  const width = degrees(Math.asin(Math.min(1, Math.sin(angle) / Math.cos(radians(latitude)))))
  const [west, east] = [longitude - width, longitude + width]
  if (west < -180) return sql<boolean>`(longitude >= ${west + 360} or longitude <= ${east})`
  if (east > 180) return sql<boolean>`(longitude >= ${west} or longitude <= ${east - 360})`
  return sql<boolean>`longitude between ${west} and ${east}`
}

/** http-api.md 4.2: metres around a BD09 position. A device without a position (0, 0) is nowhere. */
function withinRange(center: Point, metres: number): RawBuilder<boolean> {
  const angle = metres / earthRadius
  const height = degrees(angle)
  const { longitude, latitude } = center
  return sql<boolean>`(longitude <> 0 or latitude <> 0)
    and latitude between ${latitude - height} and ${latitude + height}
    and ${longitudes(center, angle)}
    and 2 * asin(least(1, sqrt(
      sin(radians(latitude - ${latitude}) / 2) ^ 2
      + cos(radians(${latitude})) * cos(radians(latitude)) * sin(radians(longitude - ${longitude}) / 2) ^ 2
    ))) <= ${angle}`
}

/** The group and everything below it. */
export async function groupWithChildren(db: Db, groupID: number): Promise<number[]> {
  const { rows } = await sql<{ group_id: number }>`
    with recursive reach as (
      select group_id from device_group where group_id = ${groupID}
      union
      select child.group_id from device_group child join reach on child.parent_id = reach.group_id
    )
    select group_id from reach`.execute(db)
  return rows.map((row) => row.group_id)
}

/** A condition that can be met from two sides. */
interface Membership {
  /** A query of the ids of all devices that meet it, along an index of its own. */
  ids: RawBuilder<unknown>
  /** It may name a device more than once. */
  repeats: boolean
  /** Devices of other products than the filter's are left out of it. */
  ofProducts: boolean
  /** The same asked of one row of `device`. */
  row: RawBuilder<boolean>
}

/** A filter after everything was looked up that SQL would have to guess at. */
export interface DeviceScope {
  /** Nothing can match: an unknown product, group, version or word. */
  empty: boolean
  /** Conditions on the columns that device_tally counts by; they hold for `device` and `device_tally` alike. */
  tallied: RawBuilder<boolean>[]
  /** The only one of these is about products. */
  onlyProducts: boolean
  /** Conditions on everything else, on `device`. */
  others: RawBuilder<boolean>[]
  /** Words, tags, a group: in every one of these. */
  within: Membership[]
  /** And not in this. */
  without: Membership | undefined
}

const allOf = (parts: RawBuilder<boolean>[]): RawBuilder<boolean> =>
  parts.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(parts, sql` and `)}`

const plain = ({ tallied, others, without }: DeviceScope) => [
  ...tallied,
  ...others,
  ...(without ? [sql<boolean>`device_id not in (${without.ids})`] : []),
]
/** On `device`, for finding all matches by the rarest of the conditions. */
export const scopeCondition = (scope: DeviceScope) =>
  allOf([...plain(scope), ...scope.within.map(({ ids }) => sql<boolean>`device_id in (${ids})`)])
/** The same on `device`, for looking at one row after the other. */
export const rowCondition = (scope: DeviceScope) => allOf([...plain(scope), ...scope.within.map(({ row }) => row)])
/** Nothing but what device_tally counts by. */
export const isTallied = ({ others, within, without }: DeviceScope) =>
  others.length === 0 && within.length === 0 && !without
export const isEveryDevice = (scope: DeviceScope) => isTallied(scope) && scope.tallied.length === 0
export const tallyCondition = ({ tallied }: DeviceScope) => allOf(tallied)

/** An array parameter has one plan whatever its length; one value gets the better plan of equality. */
const isOneOf = (column: string, values: string[]): RawBuilder<boolean> =>
  values.length === 1
    ? sql<boolean>`${sql.ref(column)} = ${values[0]}`
    : sql<boolean>`${sql.ref(column)} = any(${values}::text[])`

/** The products that productID, productIDs and deviceType leave; undefined: all. */
async function productsOf(db: Db, filter: DeviceFilter): Promise<string[] | undefined> {
  const { productID, productIDs = [], deviceType } = filter
  const lists = [...(productID === undefined ? [] : [[productID]]), ...(productIDs.length > 0 ? [productIDs] : [])]
  const named = lists.length === 0 ? undefined : lists.reduce((left, right) => left.filter((id) => right.includes(id)))
  if (deviceType === undefined || named?.length === 0) return named
  const rows = await db
    .selectFrom('product')
    .select('product_id')
    .where('device_type', '=', deviceType)
    .$if(named !== undefined, (q) => q.where('product_id', 'in', named ?? []))
    .execute()
  return rows.map((row) => row.product_id)
}

/** The versions that contain the text; hops from one to the next along the index instead of reading every device. */
async function versionsWith(db: Db, text: string): Promise<string[]> {
  const { rows } = await sql<{ version: string }>`
    with recursive versions as (
      (select version from device order by version limit 1)
      union all
      select (select version from device where version > versions.version order by version limit 1)
      from versions where versions.version is not null
    )
    select version from versions where version ilike ${containsPattern(text)}`.execute(db)
  return rows.map((row) => row.version)
}

const columns: Record<WordField, string> = { name: 'device_name', alias: 'device_alias' }

/** Whatever the case; lower() is left out where there is none. */
const contains = (field: WordField, text: string): RawBuilder<boolean> => {
  const lower = text.toLowerCase()
  return lower === text.toUpperCase()
    ? sql<boolean>`${sql.ref(columns[field])} like ${containsPattern(text)}`
    : sql<boolean>`lower(${sql.ref(columns[field])}) like ${containsPattern(lower)}`
}

/** Contains; a keyword in name or alias. Undefined: no device has a word. */
async function wordsOf(
  db: Db,
  { deviceName, deviceAlias, keyword }: DeviceFilter,
  products: string[] | undefined,
): Promise<Membership[] | undefined> {
  const wanted: [word: string | undefined, fields: WordField[]][] = [
    [deviceName, ['name']],
    [deviceAlias, ['alias']],
    [keyword, ['name', 'alias']],
  ]
  const found: Membership[] = []
  for (const [word, fields] of wanted) {
    if (word === undefined) continue
    const ids = await devicesWithWord(db, fields, word, products)
    if (!ids) return undefined
    const row = sql<boolean>`(${sql.join(
      fields.map((field) => contains(field, word)),
      sql` or `,
    )})`
    found.push({ ids, row, repeats: false, ofProducts: true })
  }
  return found
}

const tagged = ({ key, value }: { key: string; value: string }): Membership => ({
  ids: sql`select device_tag.device_id from device_tag where device_tag.key = ${key} and device_tag.value = ${value}`,
  repeats: false,
  ofProducts: false,
  row: sql<boolean>`tags @> ${JSON.stringify([{ key, value }])}::jsonb`,
})

async function membersOf(db: Db, groupID: number, includeChildren: boolean): Promise<Membership> {
  const groups = includeChildren ? await groupWithChildren(db, groupID) : [groupID]
  const ids = sql`select group_device.device_id from group_device where group_device.group_id = any(${groups}::bigint[])`
  return { ids, repeats: includeChildren, ofProducts: false, row: sql<boolean>`device_id in (${ids})` }
}

export async function resolveScope(db: Db, filter: DeviceFilter): Promise<DeviceScope> {
  const { isOnline, status, isEnable, isSimulated, version, tags = [], position, range } = filter
  const { inGroupID, notInGroupID, includeChildren = false } = filter
  const products = await productsOf(db, filter)
  const versions = version === undefined ? undefined : await versionsWith(db, version)
  const tallied = [
    ...(products === undefined ? [] : [isOneOf('product_id', products)]),
    ...(versions === undefined ? [] : [isOneOf('version', versions)]),
    ...(status === undefined ? [] : [sql<boolean>`status = ${status}`]),
    // The check of the table: online (1) is status 1, all others are offline or inactive.
    ...(isOnline === undefined ? [] : [isOnline === 1 ? sql<boolean>`status = 1` : sql<boolean>`status in (2, 3)`]),
    ...(isEnable === undefined ? [] : [sql<boolean>`is_enable = ${isEnable}`]),
    ...(isSimulated === undefined ? [] : [sql<boolean>`is_simulated = ${isSimulated}`]),
  ]
  const words = await wordsOf(db, filter, products)
  return {
    empty: products?.length === 0 || versions?.length === 0 || words === undefined,
    tallied,
    onlyProducts: products !== undefined && tallied.length === 1,
    others: position && range ? [withinRange(position, range)] : [],
    within: [
      ...(words ?? []),
      ...tags.map(tagged),
      ...(inGroupID === undefined ? [] : [await membersOf(db, inGroupID, includeChildren)]),
    ],
    without: notInGroupID === undefined ? undefined : await membersOf(db, notInGroupID, includeChildren),
  }
}
