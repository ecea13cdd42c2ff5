import type { Db } from '#db/schema.ts'
import { countRows, totalOf } from './count-rows.ts'
import { type RolloutKind, type RolloutRun, RowState, type RunCounts, RunState } from './rollout-kind.ts'

export interface End {
  state: typeof RunState.done | typeof RunState.cancelled | typeof RunState.paused
  now: number
  reason?: string
  /** As counted in this transaction. */
  counts?: RunCounts
}

export const countColumns = (counts: RunCounts) => ({
  total: totalOf(counts),
  success: counts.byState[RowState.success],
  failed: counts.byState[RowState.failed],
})

/** The run is locked. Its last counts are exact, and the kind hears of the end in the same transaction. */
export async function finishRun(db: Db, kind: RolloutKind, run: RolloutRun, end: End): Promise<void> {
  const counts = end.counts ?? (await countRows(db, run.runID))
  const reason = end.reason ?? run.reason
  const columns = countColumns(counts)
  await db
    .updateTable('rollout')
    .set({ ...columns, state: end.state, reason, ...(end.state === RunState.paused ? {} : { finished_at: end.now }) })
    .where('run_id', '=', run.runID)
    .execute()
  await kind.ended?.(db, { ...run, state: end.state, reason, total: columns.total }, counts)
}
