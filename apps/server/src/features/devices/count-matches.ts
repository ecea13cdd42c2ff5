import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { type DeviceScope, isTallied, scopeCondition, tallyCondition } from './device-scope.ts'

export interface MatchCount {
  total: number
  /** About how many devices there are at all. */
  devices: number
}

const tallied = (scope: DeviceScope): RawBuilder<number> =>
  sql<number>`(select coalesce(sum(devices), 0)::bigint from device_tally where ${tallyCondition(scope)})`

function totalOf(scope: DeviceScope): RawBuilder<number> {
  const { tallied: conditions, others, within, without } = scope
  if (isTallied(scope)) return tallied(scope)
  // Members are devices: without other conditions there is no need to look at these.
  if (within && conditions.length + others.length === 0 && !without) {
    return sql<number>`(select count(distinct device_id) from (${within}) members)`
  }
  // All but the few of a group: counting the few is quicker than counting the others.
  if (without && others.length === 0 && !within) {
    return sql<number>`${tallied(scope)} - ${totalOf({ ...scope, within: without, without: undefined })}`
  }
  return sql<number>`(select count(*) from device where ${scopeCondition(scope)})`
}

export async function countMatches(db: Db, scope: DeviceScope): Promise<MatchCount> {
  if (scope.empty) return { total: 0, devices: 0 }
  const { rows } = await sql<MatchCount>`
    select ${totalOf(scope)} as total,
      (select greatest(reltuples, 0)::bigint from pg_class where oid = 'device'::regclass) as devices`.execute(db)
  return rows[0] ?? { total: 0, devices: 0 }
}
