/** Runs and near misses ("did not fire because ...") of scenes as one list, newest first. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { RunResult } from '@ithings/contract/features/scenes/info.ts'
import type {
  CheckedCondition,
  listSceneLogs as endpoint,
  LoggedAction,
  SceneLog,
} from '@ithings/contract/features/scenes/log.ts'
import { historyWindow } from '@ithings/contract/paging.ts'
import type { TriggerType } from '@ithings/contract/rules/scene-limits.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { withSeen } from './engine/check-conditions.ts'

type Filter = BodyOutput<typeof endpoint>

interface LogRow {
  log_id: string
  scene_id: number
  name: string
  trigger_type: TriggerType
  fired: number
  result: number
  reason: string
  trigger_text: string
  /** What the trigger saw; a miss has it in its text. */
  seen: string
  product_id: string
  device_name: string
  trace_id: string
  user_name: string
  conditions: CheckedCondition[]
  actions: LoggedAction[]
  at: number
  finished_at: number
  latency: number
}

const all = (conditions: RawBuilder<boolean>[]) =>
  conditions.length === 0 ? sql<boolean>`true` : sql.join<boolean>(conditions, sql` and `)

/** What runs and misses have in common; `at` is the column of their time. */
function common(filter: Filter, at: RawBuilder<unknown>): RawBuilder<boolean>[] {
  const { sceneID, productID, deviceName, timeStart, timeEnd } = filter
  return [
    ...(sceneID ? [sql<boolean>`l.scene_id = ${sceneID}`] : []),
    ...(productID ? [sql<boolean>`l.product_id = ${productID}`] : []),
    ...(deviceName ? [sql<boolean>`l.device_name = ${deviceName}`] : []),
    ...(timeStart ? [sql<boolean>`${at} >= ${timeStart}`] : []),
    ...(timeEnd ? [sql<boolean>`${at} < ${timeEnd}`] : []),
  ]
}

/** Misses are numbered apart from runs: theirs begin with a letter. */
const missMark = 'm'
const digits = /^\d{1,15}$/

function runConditions(filter: Filter): RawBuilder<boolean>[] | undefined {
  const { runID, fired, result } = filter
  if (fired === 2 || result === RunResult.missed || (runID && !digits.test(runID))) return undefined
  return [
    ...common(filter, sql`l.started_at`),
    ...(runID ? [sql<boolean>`l.run_id = ${runID}`] : []),
    ...(result ? [sql<boolean>`l.result = ${result}`] : []),
  ]
}

function missConditions(filter: Filter): RawBuilder<boolean>[] | undefined {
  const { runID, fired, result } = filter
  const missID = runID?.startsWith(missMark) ? runID.slice(missMark.length) : undefined
  if (fired === 1 || (result && result !== RunResult.missed) || (runID && !digits.test(missID ?? ''))) return undefined
  return [...common(filter, sql`l.at`), ...(missID ? [sql<boolean>`l.miss_id = ${missID}`] : [])]
}

const count = async (db: Db, table: 'scene_run' | 'scene_miss', conditions: RawBuilder<boolean>[] | undefined) => {
  if (!conditions) return 0
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${sql.table(table)} l where ${all(conditions)}`.execute(db)
  return rows[0]?.total ?? 0
}

const runsOf = (conditions: RawBuilder<boolean>[], most: number) => sql`
  (select l.run_id::text as log_id, l.scene_id, l.trigger_type, 1 as fired, l.result, l.reason, l.trigger_text,
    l.product_id, l.device_name, l.trace_id, l.user_name, l.conditions, l.actions, l.started_at as at, l.finished_at,
    l.latency, coalesce(l.seen ->> 'value', '') as seen, l.run_id as tie
  from scene_run l where ${all(conditions)} order by l.started_at desc, l.run_id desc limit ${most})`

const missesOf = (conditions: RawBuilder<boolean>[], most: number) => sql`
  (select ${missMark}::text || l.miss_id as log_id, l.scene_id, s.trigger_type, 2 as fired,
    ${RunResult.missed}::smallint as result, l.reason, l.trigger_text, l.product_id, l.device_name, l.trace_id,
    '' as user_name, l.conditions, '[]'::jsonb as actions, l.at, l.at as finished_at, 0 as latency, '' as seen,
    l.miss_id as tie
  from scene_miss l join scene s on s.id = l.scene_id where ${all(conditions)}
  order by l.at desc, l.miss_id desc limit ${most})`

const toLog = (row: LogRow): SceneLog => ({
  runID: row.log_id,
  sceneID: row.scene_id,
  sceneName: row.name,
  triggerType: row.trigger_type,
  fired: row.fired,
  result: row.result,
  reason: row.reason,
  triggerText: withSeen(row.trigger_text, row.seen),
  productID: row.product_id,
  deviceName: row.device_name,
  tranceID: row.trace_id,
  userName: row.user_name,
  conditions: row.conditions,
  actions: row.actions,
  startTime: row.at,
  endTime: row.finished_at,
  latency: row.latency,
})

export async function listSceneLogs(db: Db, filter: Filter) {
  const runs = runConditions(filter)
  const misses = missConditions(filter)
  const [fired, missed] = await Promise.all([count(db, 'scene_run', runs), count(db, 'scene_miss', misses)])
  const total = fired + missed
  const { offset, limit } = historyWindow(filter.page, total)
  if (total === 0) return { list: [], total }
  // Each part gives no more than the page can need of it.
  const most = offset + limit
  const parts = [...(runs ? [runsOf(runs, most)] : []), ...(misses ? [missesOf(misses, most)] : [])]
  const { rows } = await sql<LogRow>`
    select l.*, s.name from (${sql.join(parts, sql` union all `)}) l join scene s on s.id = l.scene_id
    order by l.at desc, l.fired, l.tie desc limit ${limit} offset ${offset}`.execute(db)
  return { list: rows.map(toLog), total }
}
