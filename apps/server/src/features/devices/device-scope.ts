/** From the filter of the contract to SQL: what a filter means, in one place for list, count, export and groups. */
import type { DeviceFilter } from '@ithings/contract/features/devices/info.ts'
import { type RawBuilder, sql } from 'kysely'
import { containsPattern } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { groupWithChildren } from './group-reach.ts'
import { withinRange } from './within-range.ts'

/** A filter after everything was looked up that SQL would have to guess at. */
export interface DeviceScope {
  /** Nothing can match: an unknown product, group or version. */
  empty: boolean
  /** Conditions on the columns that device_tally counts by; they hold for `device` and `device_tally` alike. */
  tallied: RawBuilder<boolean>[]
  /** Conditions on everything else, on `device`. */
  others: RawBuilder<boolean>[]
  /** Queries of device ids: those of a group, and those that are left out. */
  within: RawBuilder<unknown> | undefined
  without: RawBuilder<unknown> | undefined
}

const all = (parts: RawBuilder<boolean>[]): RawBuilder<boolean> =>
  parts.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(parts, sql` and `)}`

export const scopeCondition = ({ tallied, others, within, without }: DeviceScope) =>
  all([
    ...tallied,
    ...others,
    ...(within ? [sql<boolean>`device_id in (${within})`] : []),
    ...(without ? [sql<boolean>`device_id not in (${without})`] : []),
  ])
/** Nothing but what device_tally counts by. */
export const isTallied = ({ others, within, without }: DeviceScope) => others.length === 0 && !within && !without
export const tallyCondition = ({ tallied }: DeviceScope) => all(tallied)

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

/**
 * Whatever the case. From three characters on the trigram index (of the lower-case text) finds the matches; for less
 * every text is compared, along the narrow index of the sort order, and without lower() where there is no case.
 */
const contains = (column: string, text: string): RawBuilder<boolean> => {
  const lower = text.toLowerCase()
  const caseless = lower === text.toUpperCase()
  return caseless && [...text].length < 3
    ? sql<boolean>`${sql.ref(column)} like ${containsPattern(text)}`
    : sql<boolean>`lower(${sql.ref(column)}) like ${containsPattern(lower)}`
}

function textConditions({ deviceName, deviceAlias, keyword }: DeviceFilter): RawBuilder<boolean>[] {
  return [
    ...(deviceName === undefined ? [] : [contains('device_name', deviceName)]),
    ...(deviceAlias === undefined ? [] : [contains('device_alias', deviceAlias)]),
    ...(keyword === undefined
      ? []
      : [sql<boolean>`(${contains('device_name', keyword)} or ${contains('device_alias', keyword)})`]),
  ]
}

async function membersOf(db: Db, groupID: number, includeChildren: boolean): Promise<RawBuilder<unknown>> {
  const groups = includeChildren ? await groupWithChildren(db, groupID) : [groupID]
  return sql`select group_device.device_id from group_device where group_device.group_id = any(${groups}::bigint[])`
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
  const others = [
    ...textConditions(filter),
    ...(tags.length === 0 ? [] : [sql<boolean>`tags @> ${JSON.stringify(tags)}::jsonb`]),
    ...(position && range ? [withinRange(position, range)] : []),
  ]
  return {
    empty: products?.length === 0 || versions?.length === 0,
    tallied,
    others,
    within: inGroupID === undefined ? undefined : await membersOf(db, inGroupID, includeChildren),
    without: notInGroupID === undefined ? undefined : await membersOf(db, notInGroupID, includeChildren),
  }
}
