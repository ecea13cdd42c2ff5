import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { badField, errors, refusal } from '@ithings/contract/errors.ts'
import { type setTaskStatus as endpoint, TaskSchedule } from '@ithings/contract/features/tasks.ts'
import { nextTime } from './next-time.ts'
import { checkParts } from './read-plan.ts'
import { findTask, lockTask } from './store.ts'
import type { TasksDeps } from './tasks-deps.ts'

const enabled = 1

/** Cron tasks; a run that is under way goes on. */
export async function setTaskStatus(deps: TasksDeps, { taskID, isEnable }: BodyOutput<typeof endpoint>): Promise<void> {
  if (isEnable === enabled) await checkParts(deps, (await findTask(deps.db, taskID)).plan)
  await deps.db.transaction().execute(async (db) => {
    const task = await lockTask(db, taskID)
    if (task.schedule !== TaskSchedule.cron) throw badField('isEnable', '只有周期任务可以启用或停用')
    if (task.is_enable === isEnable) return
    let next: number | null = null
    if (isEnable === enabled) {
      next = nextTime(task.plan, deps.clock.now())
      if (next === null) throw refusal(errors.parameter, '有效期内已没有执行时间，请先修改任务')
    }
    await db
      .updateTable('device_task')
      .set({ is_enable: isEnable, next_run_at: next, reason: '' })
      .where('task_id', '=', taskID)
      .execute()
  })
}
