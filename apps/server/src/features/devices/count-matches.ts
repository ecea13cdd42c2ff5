import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { type DeviceScope, scopeCondition, tallyCondition } from './device-scope.ts'

export interface MatchCount {
  total: number
  /** About how many devices there are at all. */
  devices: number
}

const tallied = (scope: DeviceScope): RawBuilder<number> =>
  sql<number>`(select coalesce(sum(devices), 0)::bigint from device_tally where ${tallyCondition(scope)})`
const counted = (scope: DeviceScope): RawBuilder<number> =>
  sql<number>`(select count(*) from device where ${scopeCondition(scope)})`

/** All but the few of a group: counting the few is quicker than counting the others. */
function totalOf(scope: DeviceScope): RawBuilder<number> {
  if (scope.others.length > 0) return counted(scope)
  if (!scope.without) return tallied(scope)
  const leftOut = sql<boolean>`device_id in (${scope.without})`
  return sql<number>`${tallied(scope)} - ${counted({ ...scope, others: [leftOut], without: undefined })}`
}

export async function countMatches(db: Db, scope: DeviceScope): Promise<MatchCount> {
  if (scope.empty) return { total: 0, devices: 0 }
  const { rows } = await sql<MatchCount>`
    select ${totalOf(scope)} as total,
      (select greatest(reltuples, 0)::bigint from pg_class where oid = 'device'::regclass) as devices`.execute(db)
  return rows[0] ?? { total: 0, devices: 0 }
}
