/** What people do with a task: cancel, pause, go on. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { OtaKit } from './ota-kit.ts'
import { judgeNow } from './stage-review.ts'
import { requireTask } from './task-store.ts'

/** A device that is writing its flash may still finish. */
export async function cancelTask(kit: OtaKit, { taskID }: { taskID: number }): Promise<void> {
  const { runID } = await requireTask(kit.db, { taskID })
  if (!(await kit.rollouts.cancelRun(runID, '任务已取消'))) throw new AppError(errors.otaCancelStatus)
}

/** Without a reason: that tells it from a task that halted by itself. */
export async function pauseTask(kit: OtaKit, { taskID }: { taskID: number }): Promise<void> {
  const { runID } = await requireTask(kit.db, { taskID })
  if (!(await kit.rollouts.pause(runID, ''))) {
    throw new AppError(errors.parameter, { msg: '只有未开始或升级中的任务可以暂停' })
  }
}

export async function resumeTask(kit: OtaKit, { taskID, force }: { taskID: number; force?: boolean | undefined }) {
  const task = await requireTask(kit.db, { taskID })
  const { reason, ...run } = await kit.db
    .selectFrom('rollout')
    .select(['reason', 'run_id as runID', 'total', 'reopened_at as reopenedAt'])
    .where('run_id', '=', task.runID)
    .executeTakeFirstOrThrow()
  if (reason !== '' && force) {
    await kit.db.updateTable('ota_task').set({ forced: task.stage }).where('task_id', '=', taskID).execute()
  } else if (reason !== '') {
    // Devices that failed may have been tried again with success meanwhile.
    const verdict = await judgeNow(kit.db, task, run)
    if (verdict.then === 'halt') {
      throw new AppError(errors.parameter, { msg: `${verdict.reason}；重试失败的设备，或确认后强制继续` })
    }
  }
  if (!(await kit.rollouts.resume(task.runID))) throw new AppError(errors.parameter, { msg: '任务没有暂停' })
}
