import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { type createTask as endpoint, TaskSchedule, taskLimits } from '@ithings/contract/features/tasks.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { jsonText } from '#db/json-text.ts'
import { nextTime } from './next-time.ts'
import { readPlan } from './read-plan.ts'
import { follow, openRun } from './start-run.ts'
import type { Person, TasksDeps } from './tasks-deps.ts'

/** screens.md 7.1; with the schedule "now" its first run begins in the same transaction. */
export async function createTask(deps: TasksDeps, input: BodyOutput<typeof endpoint>, person: Person) {
  const plan = await readPlan(deps, input)
  const { task, started } = await deps.db.transaction().execute(async (db) => {
    const { tasks } = await db
      .selectFrom('device_task')
      .select(sql<number>`count(*)`.as('tasks'))
      .executeTakeFirstOrThrow()
    if (tasks >= taskLimits.tasks) {
      throw new AppError(errors.quota, {
        msg: phrase('设备任务已达上限 {most} 个，请先删除不用的任务', { most: taskLimits.tasks }),
      })
    }
    const task = await db
      .insertInto('device_task')
      .values({
        name: plan.taskName,
        task_type: plan.taskType,
        product_id: plan.productID,
        schedule: plan.scheduleType,
        plan: jsonText(plan),
        next_run_at: nextTime(plan, deps.clock.now()),
        last_run: null,
        user_id: person.userID,
        user_name: person.userName,
        created_at: new Date(deps.clock.now()),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const atOnce = plan.scheduleType === TaskSchedule.now
    return {
      task,
      started: atOnce ? await openRun(deps, db, task, { trigger: 'manual', person, refuseEmpty: true }) : undefined,
    }
  })
  if (started) await follow(deps, started, person)
  return { taskID: task.task_id }
}
