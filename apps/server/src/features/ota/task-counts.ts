/** Devices of tasks by stage and status: one grouped query for all that are asked for. */
import { OtaStatus, OtaTaskStatus } from '@ithings/contract/features/ota/states.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { StatusCounts } from '#db/tables/ota.ts'

export interface CountQuestion {
  runID: number
  /** Devices of the run. */
  total: number
  /** Position of the last device of each stage; none: one stage. */
  bounds: readonly number[]
  /** Devices that ended before count as cancelled: they are no part of what is looked at (ms). */
  since?: number
}

/** Those that wait are what is left of a stage: only devices that have moved are visited. */
function withWaiting({ total, bounds }: CountQuestion, moved: StatusCounts[]): StatusCounts[] {
  const ends = bounds.length > 0 ? bounds : [total]
  return ends.map((end, i) => {
    const counts = moved[i] ?? {}
    const size = end - (ends[i - 1] ?? 0)
    const others = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return { ...counts, [OtaStatus.waiting]: Math.max(0, size - others) }
  })
}

const askedRuns = (questions: readonly CountQuestion[]) => sql`
    with asked as materialized (
      select run_id, bounds::integer[] as bounds, since from unnest(
        ${questions.map(({ runID }) => runID)}::bigint[],
        ${questions.map(({ bounds }) => `{${bounds.slice(0, -1).join(',')}}`)}::text[],
        ${questions.map(({ since = 0 }) => since)}::bigint[]
      ) as given (run_id, bounds, since)
    )
    select asked.run_id, case when asked.bounds = '{}' then 0 else width_bucket(one.position - 1, asked.bounds) end as stage`

/** Devices that wait to connect, by run and stage; read from the index of those alone. */
export async function countAway(db: Db, questions: readonly CountQuestion[]): Promise<Map<number, number[]>> {
  const away = new Map<number, number[]>()
  if (questions.length === 0) return away
  const { rows } = await sql<{ run_id: number; stage: number; count: number }>`${askedRuns(questions)},
      count(*)::integer as count
    from asked join rollout_device one on one.run_id = asked.run_id and one.state = 1 and one.due_at >= 9000000000000000
    group by 1, 2`.execute(db)
  for (const { run_id: runID, stage, count } of rows) {
    const stages = away.get(runID) ?? []
    stages[stage] = count
    away.set(runID, stages)
  }
  return away
}

/** @returns for each run its stages, at least one */
export async function countStages(db: Db, questions: readonly CountQuestion[]): Promise<Map<number, StatusCounts[]>> {
  if (questions.length === 0) return new Map()
  const { rows } = await sql<{ run_id: number; stage: number; status: number; count: number }>`${askedRuns(questions)},
      case when one.state in (3, 4) and one.done_at < asked.since then ${sql.lit(OtaStatus.cancelled)} else one.status end as status,
      count(*)::integer as count
    from asked join rollout_device one on one.run_id = asked.run_id and one.status > ${OtaStatus.waiting}
    group by 1, 2, 3`.execute(db)
  const moved = new Map<number, StatusCounts[]>()
  for (const { run_id: runID, stage, status, count } of rows) {
    const stages = moved.get(runID) ?? []
    stages[stage] = { ...stages[stage], [status]: count }
    moved.set(runID, stages)
  }
  return new Map(questions.map((question) => [question.runID, withWaiting(question, moved.get(question.runID) ?? [])]))
}

/** Somebody cancelled devices: what was kept is stale, and a paused task is not counted again by itself. */
export async function forgetCounts(db: Db, taskID: number): Promise<void> {
  await db
    .updateTable('ota_task')
    .set({ counts: '[]' })
    .where('task_id', '=', taskID)
    .where('status', 'in', [OtaTaskStatus.waiting, OtaTaskStatus.running])
    .execute()
}

/** All seven, those without a device too. */
export function sumStages(stages: readonly StatusCounts[]): StatusCounts {
  const sum: StatusCounts = Object.fromEntries(Object.values(OtaStatus).map((status) => [status, 0]))
  for (const stage of stages)
    for (const [status, count] of Object.entries(stage)) sum[status] = (sum[status] ?? 0) + count
  return sum
}
