import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { type DeviceScope, isTallied, scopeCondition, tallyCondition } from './device-scope.ts'

export interface Matches {
  total: number
  /** About how many devices there are at all. */
  devices: number
  /** All of them, in no order, while they are few. */
  ids?: number[]
}

/** Below this many matches sorting them is quicker than any walk along an index. */
export const fewMatches = 2_000

const tallied = (scope: DeviceScope): RawBuilder<number> =>
  sql<number>`(select coalesce(sum(devices), 0)::bigint from device_tally where ${tallyCondition(scope)})`

async function talliedTotal(db: Db, scope: DeviceScope): Promise<Matches> {
  const { rows } = await sql<Matches>`
    select ${tallied(scope)} as total,
      (select greatest(reltuples, 0)::bigint from pg_class where oid = 'device'::regclass) as devices`.execute(db)
  return rows[0] ?? { total: 0, devices: 0 }
}

/** All ids that match, as a query. */
function matchingIDs(scope: DeviceScope): RawBuilder<unknown> {
  const { tallied, onlyProducts, others, within, without } = scope
  const [only, ...more] = within
  const said = only && (tallied.length === 0 || (onlyProducts && only.ofProducts))
  // Members are devices: without other conditions there is no need to look at these.
  if (said && more.length + others.length === 0 && !without) {
    return only.repeats ? sql`select distinct device_id from (${only.ids}) members` : only.ids
  }
  return sql`select device_id from device where ${scopeCondition(scope)}`
}

async function countAll(db: Db, scope: DeviceScope): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (${matchingIDs(scope)}) matches`.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * The true total, and the matches themselves while they are few, so that these are searched for once. Materialized: the
 * plan is the one for all matches, though the first few may suffice.
 */
export async function findMatches(db: Db, scope: DeviceScope): Promise<Matches> {
  if (scope.empty) return { total: 0, devices: 0, ids: [] }
  const all = await talliedTotal(db, scope)
  if (isTallied(scope)) return all
  if (all.total === 0) return { ...all, ids: [] }
  const { others, within, without } = scope
  // All but the members of a group: counting these is quicker than counting the others.
  if (without && others.length + within.length === 0) {
    const members = { ...scope, within: [without], without: undefined }
    return { ...all, total: all.total - (await countAll(db, members)) }
  }
  const { rows } = await sql<{ device_id: number }>`
    with matches as materialized (${matchingIDs(scope)})
    select device_id from matches limit ${fewMatches + 1}`.execute(db)
  if (rows.length <= fewMatches) {
    return { total: rows.length, devices: all.devices, ids: rows.map((row) => row.device_id) }
  }
  return { total: await countAll(db, scope), devices: all.devices }
}
