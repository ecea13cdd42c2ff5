import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { cancelledText, type cancelTask as endpoint, TaskSchedule } from '@ithings/contract/features/tasks.ts'
import { kept } from '@ithings/contract/text.ts'
import { RowState } from '#features/rollouts/door.ts'
import { findOpenRun, findRun, findTask, isOpen, lockTask, type TaskRow } from './store.ts'
import type { TasksDeps } from './tasks-deps.ts'

/** The moment a task was set for does not come. */
async function unschedule({ db: pool }: TasksDeps, taskID: number): Promise<TaskRow> {
  return pool.transaction().execute(async (db) => {
    const task = await lockTask(db, taskID)
    if (task.schedule !== TaskSchedule.once || task.next_run_at === null) return task
    await db
      .updateTable('device_task')
      .set({ next_run_at: null, reason: kept(cancelledText) })
      .where('task_id', '=', taskID)
      .execute()
    return { ...task, next_run_at: null }
  })
}

/**
 * screens.md 7.3: waiting and sent devices end as failed 已取消; a command that is out cannot be called back. Without
 * devices the run itself ends. What is over stays as it is: cancelling twice does no harm.
 */
export async function cancelTask(deps: TasksDeps, input: BodyOutput<typeof endpoint>) {
  const { taskID, runID, deviceNames, away = false } = input
  const whole = !deviceNames?.length && !away
  const task = whole && runID === undefined ? await unschedule(deps, taskID) : await findTask(deps.db, taskID)
  // An earlier run may be under way again.
  const open = runID === undefined ? await findOpenRun(deps.db, taskID) : undefined
  const run = open ?? (await findRun(deps.db, task, runID))
  if (!run || !isOpen(run)) return { done: 0 }
  if (!whole) {
    const choice = { ...(deviceNames?.length && { deviceNames }), away }
    return { done: await deps.rollouts.cancelRows(run.run_id, choice, kept(cancelledText)) }
  }
  const cancelled = async () => (await deps.rollouts.counts(deps.db, run.run_id)).byState[RowState.cancelled]
  const before = await cancelled()
  await deps.rollouts.cancelRun(run.run_id, kept(cancelledText))
  return { done: (await cancelled()) - before }
}
