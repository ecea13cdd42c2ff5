import { AppError, errors } from '@ithings/contract/errors.ts'
import { TaskSchedule } from '@ithings/contract/features/tasks.ts'
import { phrase } from '@ithings/contract/text.ts'
import { stillRunning } from './start-run.ts'
import { findOpenRun, lockTask } from './store.ts'
import type { TasksDeps } from './tasks-deps.ts'

/**
 * screens.md 7: only one that is over or disabled. Its runs and what became of
 * each device are out of sight with it; there may be millions of rows, so the regular cleaning takes them.
 */
export async function deleteTask({ db: pool }: TasksDeps, { taskID }: { taskID: number }): Promise<void> {
  await pool.transaction().execute(async (db) => {
    const task = await lockTask(db, taskID)
    if (await findOpenRun(db, taskID)) throw stillRunning()
    if (task.next_run_at !== null) {
      const detail =
        task.schedule === TaskSchedule.cron
          ? phrase('启用中的周期任务不能删除，请先停用')
          : phrase('任务还没有到执行时间，请先取消再删除')
      throw new AppError(errors.parameter, { detail })
    }
    await db.deleteFrom('device_task').where('task_id', '=', taskID).execute()
  })
}
