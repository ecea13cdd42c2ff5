/** Stages of a run, looked at while it is locked; and what its end means for the task. */
import { judgeStage, type StageVerdict, stageBounds, stageCountsOf } from '@ithings/contract/features/ota/stages.ts'
import { OtaStatus, OtaTaskStatus } from '@ithings/contract/features/ota/states.ts'
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

/** How the stage at work stands. */
export async function judgeNow(db: Db, task: StoredTask, total: number): Promise<StageVerdict> {
  const { stages } = task.plan
  const bounds = stageBounds(stages, total)
  const counts = (await countStages(db, [{ runID: task.runID, total, bounds }])).get(task.runID) ?? []
  const stage = stages[task.stage]
  return stage
    ? judgeStage(stage, stageCountsOf(counts[task.stage] ?? {}), task.forced === task.stage)
    : { then: 'wait' }
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
  const times = task.stageTimes.length > 0 ? [...task.stageTimes] : [now]
  let at = task.stage
  let verdict = judgeStage(stages[at] as (typeof stages)[number], stageCountsOf(seen[at] ?? {}), task.forced === at)
  while (verdict.then === 'next' && at < stages.length - 1) {
    at++
    times.push(now)
    verdict = judgeStage(stages[at] as (typeof stages)[number], stageCountsOf(seen[at] ?? {}), task.forced === at)
  }
  if (at !== task.stage || times.length !== task.stageTimes.length) {
    await change(tx, task.taskID, { stage: at, stage_times: JSON.stringify(times) })
  }
  const limitTo = bounds[at] ?? run.total
  // When everybody has been pushed there is nothing left to halt.
  return verdict.then === 'halt' && counts.byState[RowState.waiting] > 0
    ? { limitTo, halt: verdict.reason }
    : { limitTo }
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
