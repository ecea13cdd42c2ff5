/** Devices of tasks by stage and status: one grouped query for all that are asked for. */
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { StatusCounts } from '#db/tables/ota.ts'
import type { StageCounts } from './stage-rules.ts'

export interface CountQuestion {
  runID: number
  /** Position of the last device of each stage; none: one stage. */
  bounds: readonly number[]
}

/** @returns for each run its stages, at least one */
export async function countStages(db: Db, questions: readonly CountQuestion[]): Promise<Map<number, StatusCounts[]>> {
  const counts = new Map(
    questions.map(({ runID, bounds }) => [
      runID,
      Array.from({ length: Math.max(1, bounds.length) }, () => ({}) as StatusCounts),
    ]),
  )
  if (questions.length === 0) return counts
  // A device that joined after the last bound was drawn belongs to the last stage.
  const { rows } = await sql<{ run_id: number; stage: number; status: number; count: number }>`
    select one.run_id, coalesce(stage.number, 0) as stage, one.status, count(*)::integer as count
    from rollout_device one
    left join lateral (
      select min(bound.number)::integer as number
      from unnest(${questions.map(({ runID }) => runID)}::bigint[], ${questions.map(({ bounds }) => `{${bounds.join(',')}}`)}::text[])
        as asked (run_id, bounds), unnest(asked.bounds::integer[]) with ordinality as bound (last, number)
      where asked.run_id = one.run_id and one.position <= bound.last
    ) stage on true
    where one.run_id = any (${questions.map(({ runID }) => runID)}::bigint[])
    group by 1, 2, 3`.execute(db)
  for (const { run_id: runID, stage, status, count } of rows) {
    const stages = counts.get(runID)
    const place = stage === 0 ? (stages?.length ?? 1) - 1 : stage - 1
    const one = stages?.[place]
    if (one) one[status] = (one[status] ?? 0) + count
  }
  return counts
}

export const stageCountsOf = (counts: StatusCounts): StageCounts => {
  const of = (...statuses: number[]) => statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  return {
    total: of(...Object.values(OtaStatus)),
    success: of(OtaStatus.success),
    failed: of(OtaStatus.failed),
    left: of(OtaStatus.higher, OtaStatus.cancelled),
  }
}

/** All seven, those without a device too. */
export function sumStages(stages: readonly StatusCounts[]): StatusCounts {
  const sum: StatusCounts = Object.fromEntries(Object.values(OtaStatus).map((status) => [status, 0]))
  for (const stage of stages)
    for (const [status, count] of Object.entries(stage)) sum[status] = (sum[status] ?? 0) + count
  return sum
}
