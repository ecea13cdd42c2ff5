import { parseInput } from '@ithings/contract/describe-issue.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import { DeployStatus, type updateTask as endpoint, TaskSchedule, taskBody } from '@ithings/contract/features/tasks.ts'
import { sql } from 'kysely'
import { jsonText } from '#db/json-text.ts'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import { nextTime } from './next-time.ts'
import { readPlan } from './read-plan.ts'
import { follow, openRun, stillRunning } from './start-run.ts'
import { findOpenRun, findTask, lockTask, selectTasks, taskStatus } from './store.ts'
import type { Person, TasksDeps } from './tasks-deps.ts'

const disabled = 2

/**
 * screens.md 7.3: only while it waits, or a cron one that is disabled, which stays so. One that now says "at once"
 * begins.
 */
export async function updateTask(deps: TasksDeps, input: BodyOutput<typeof endpoint>, person: Person): Promise<void> {
  const { taskID, rev, ...given } = input
  const stored = await findTask(deps.db, taskID)
  const plan = await readPlan(deps, parseInput(taskBody, { ...stored.plan, ...given }))
  const started = await deps.db.transaction().execute(async (db) => {
    const before = await lockTask(db, taskID)
    refuseStaleEdit(rev ?? stored.rev, before.rev)
    if (await findOpenRun(db, taskID)) throw stillRunning()
    const { status } = await selectTasks(db)
      .select(taskStatus.as('status'))
      .where('task_id', '=', taskID)
      .executeTakeFirstOrThrow()
    const resting = before.schedule === TaskSchedule.cron && before.is_enable === disabled
    if (status !== DeployStatus.waiting && !resting) {
      throw refusal(errors.parameter, '只有待部署的任务和已停用的周期任务可以修改，可复制为新任务')
    }
    const rests = resting && plan.scheduleType === TaskSchedule.cron
    const now = deps.clock.now()
    const task = await db
      .updateTable('device_task')
      .set({
        name: plan.taskName,
        task_type: plan.taskType,
        product_id: plan.productID,
        schedule: plan.scheduleType,
        plan: jsonText(plan),
        is_enable: rests ? disabled : 1,
        next_run_at: rests ? null : nextTime(plan, now),
        reason: '',
        edited_at: now,
        rev: sql`rev + 1`,
      })
      .where('task_id', '=', taskID)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (plan.scheduleType !== TaskSchedule.now) return undefined
    return openRun(deps, db, task, { trigger: 'manual', person, refuseEmpty: true })
  })
  if (started) await follow(deps, started, person)
}
