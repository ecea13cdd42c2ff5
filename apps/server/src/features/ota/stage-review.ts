/** Stages of a run, looked at while it is locked; and what its end means for the task. */
import { judgeStage, type StageVerdict, stageBounds, stageCountsOf } from '@ithings/contract/features/ota/stages.ts'
import { OtaStatus, OtaTaskStatus } from '@ithings/contract/features/ota/states.ts'
import { type OtaStage, OtaStrategy } from '@ithings/contract/features/ota/task.ts'
import { keep } from '@ithings/contract/text.ts'
import { sql, type Updateable } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { OtaTaskTable, StatusCounts } from '#db/tables/ota.ts'
import { type Review, type RolloutRun, RowState, type RunCounts, RunState } from '#features/rollouts/door.ts'
import { countStages } from './task-counts.ts'
import { findTask, type StoredTask } from './task-store.ts'

const change = (tx: Db, taskID: number, changes: Updateable<OtaTaskTable>) =>
  tx.updateTable('ota_task').set(changes).where('task_id', '=', taskID).execute()

/** screens.md 22: not upgraded until the first push. */
async function markBegun(tx: Db, task: StoredTask, { byStatus }: RunCounts): Promise<void> {
  const moved = Object.entries(byStatus).some(([status, count]) => Number(status) !== OtaStatus.waiting && count > 0)
  if (moved && task.status === OtaTaskStatus.waiting) await change(tx, task.taskID, { status: OtaTaskStatus.running })
}

/** Lists show what is kept here, so that they need not count. */
async function keepCounts(tx: Db, { taskID }: StoredTask, counts: StatusCounts[]): Promise<void> {
  const text = JSON.stringify(counts)
  await sql`update ota_task set counts = ${text}::jsonb where task_id = ${taskID} and counts <> ${text}::jsonb`.execute(
    tx,
  )
}

interface Stand {
  /** The stage at work. */
  at: number
  verdict: StageVerdict
}

/**
 * A stage that nobody comes after is not left. Stages of a dynamic task grow with each device that comes, so they are
 * gone through from the first each time: a few early devices must not let thousands pass that come later.
 */
function standOf({ plan, stage, forced }: StoredTask, bounds: readonly number[], counts: StatusCounts[]): Stand {
  const total = bounds.at(-1) ?? 0
  const judge = (at: number): StageVerdict =>
    at <= (plan.released ?? -1)
      ? { then: 'next' }
      : judgeStage(plan.stages[at] as OtaStage, stageCountsOf(counts[at] ?? {}), forced >= at)
  let at = plan.upgradeType === OtaStrategy.dynamic ? 0 : stage
  let verdict = judge(at)
  while (verdict.then === 'next' && (bounds[at] ?? 0) < total) {
    at++
    verdict = judge(at)
  }
  return { at, verdict }
}

type CountedRun = Pick<RolloutRun, 'runID' | 'total' | 'reopenedAt'>

/** Devices that ended before a person asked for another try are no part of it. */
async function countJudged(
  db: Db,
  { runID, total, reopenedAt }: CountedRun,
  bounds: number[],
): Promise<StatusCounts[]> {
  return (await countStages(db, [{ runID, total, bounds, since: reopenedAt }])).get(runID) ?? []
}

/** How the stage at work stands. */
export async function judgeNow(db: Db, task: StoredTask, run: CountedRun): Promise<StageVerdict> {
  const { stages } = task.plan
  if (stages.length === 0) return { then: 'wait' }
  const bounds = stageBounds(stages, run.total)
  return standOf(task, bounds, await countJudged(db, run, bounds)).verdict
}

export async function reviewStages(tx: Db, run: RolloutRun, counts: RunCounts, now: number): Promise<Review> {
  const task = await findTask(tx, run.ownerID)
  if (!task) return {}
  await markBegun(tx, task, counts)
  const { stages } = task.plan
  const bounds = stageBounds(stages, run.total)
  const seen = (await countStages(tx, [{ runID: run.runID, total: run.total, bounds }])).get(run.runID) ?? []
  await keepCounts(tx, task, seen)
  if (stages.length === 0) return {}
  const judged = run.reopenedAt > 0 ? await countJudged(tx, run, bounds) : seen
  const { at, verdict } = standOf(task, bounds, judged)
  const times = [...task.stageTimes]
  while (times.length <= at) times.push(now)
  if (at !== task.stage || times.length !== task.stageTimes.length) {
    await change(tx, task.taskID, { stage: at, stage_times: JSON.stringify(times) })
  }
  const limitTo = bounds[at] ?? run.total
  // When everybody has been pushed there is nothing left to halt.
  return verdict.then === 'halt' && counts.byState[RowState.waiting] > 0
    ? { limitTo, halt: keep([verdict.reason]) }
    : { limitTo }
}

/** A task that was over is at work again, before the first of its devices can come to its end. */
export async function reopened(tx: Db, run: RolloutRun): Promise<void> {
  await change(tx, run.ownerID, { status: OtaTaskStatus.running })
}

/** Lists read what is kept here instead of counting again. */
export async function ended(tx: Db, run: RolloutRun, _counts: RunCounts, now: number): Promise<void> {
  if (run.state !== RunState.done && run.state !== RunState.cancelled) return
  const task = await findTask(tx, run.ownerID)
  if (!task) return
  const bounds = stageBounds(task.plan.stages, run.total)
  const counts = (await countStages(tx, [{ runID: run.runID, total: run.total, bounds }])).get(run.runID)
  await change(tx, task.taskID, {
    status: run.state === RunState.done ? OtaTaskStatus.done : OtaTaskStatus.cancelled,
    counts: JSON.stringify(counts),
    finished_at: now,
  })
}
