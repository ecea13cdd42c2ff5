/**
 * Runs whose devices nobody lists any more: the job that did (its input names the run) failed, was cancelled, or was
 * never started because the server died first. They would never begin, so they end and say why.
 */
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Common } from '#common-deps.ts'
import { RunState } from './rollout-kind.ts'

const everyMs = 10_000
/** A server may be just about to start the job. */
const graceMs = 30_000

export interface UnlistedParts extends Common<'db' | 'clock'> {
  cancelRun(runID: number, msg: string): Promise<unknown>
}

/** @returns a function that looks, now and then; on several servers at once it does no harm */
export function makeUnlistedSweep({ db, clock, cancelRun }: UnlistedParts): () => Promise<void> {
  let sweptAt = 0
  return async () => {
    const now = clock.now()
    if (now - sweptAt < everyMs && now >= sweptAt) return
    // Device tasks start a job that is missing themselves (features/tasks/mend-runs.ts).
    const { rows } = await sql<{ run_id: number; error: string | null; status: number | null }>`
      select run.run_id, job.error, job.status from rollout run
      left join lateral (
        select status, error from job where input ->> 'runID' = run.run_id::text order by created_at desc limit 1
      ) job on true
      where run.state = ${RunState.preparing} and run.created_at < ${now - graceMs}
        and (job.status in (${JobStatus.failed}, ${JobStatus.cancelled}) or (job.status is null and run.kind <> 'task'))`.execute(
      db,
    )
    for (const { run_id, error, status } of rows) {
      const why = error || kept(status === null ? '平台当时停止' : '已取消')
      await cancelRun(run_id, kept('没有列出目标设备：{why}', { why }))
    }
    sweptAt = now
  }
}
