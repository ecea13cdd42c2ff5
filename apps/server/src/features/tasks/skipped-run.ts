/** Runs that did not take place stand among the others, with the reason (screens.md 7.3 "skipped and logged"). */
import { taskTopic } from '@ithings/contract/features/tasks.ts'
import { kept } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import { RunState } from '#features/rollouts/door.ts'
import { saidMomentWithSlashes } from '#http/said-moment.ts'
import type { TaskRow } from './store.ts'

async function insertOver(db: Db, task: TaskRow, reason: string, now: number): Promise<number> {
  const { run_id } = await db
    .insertInto('rollout')
    .values({
      kind: 'task',
      owner_id: task.task_id,
      product_id: task.product_id,
      topic: taskTopic(task.task_id),
      trigger: 'timer',
      state: RunState.cancelled,
      reason,
      per_minute: task.plan.rate,
      limit_to: null,
      user_name: task.user_name,
      start_at: now,
      finished_at: now,
      created_at: now,
    })
    .returning('run_id')
    .executeTakeFirstOrThrow()
  return run_id
}

/** A schedule of seconds over a run of hours leaves one line, not thousands. */
export async function noteSkipped(db: Db, task: TaskRow, now: number): Promise<void> {
  const skipped = task.skipped + 1
  const reason = kept('上一次执行尚未结束，已跳过 {count} 次', { count: skipped })
  if (skipped === 1) await insertOver(db, task, reason, now)
  else {
    await db
      .updateTable('rollout')
      .set({ reason, finished_at: now })
      .where('run_id', '=', (query) =>
        query
          .selectFrom('rollout')
          .select(({ fn }) => fn.max('run_id').as('run_id'))
          .where('kind', '=', 'task')
          .where('owner_id', '=', task.task_id),
      )
      .execute()
  }
  await db.updateTable('device_task').set({ skipped }).where('task_id', '=', task.task_id).execute()
}

/** It could not begin: that is what became of the task. */
export async function noteFailure(db: Db, task: TaskRow, reason: string, now: number): Promise<void> {
  const last_run = await insertOver(db, task, reason, now)
  await db.updateTable('device_task').set({ last_run, skipped: 0 }).where('task_id', '=', task.task_id).execute()
}

export async function noteMissed(db: Db, task: TaskRow, due: number, now: number): Promise<void> {
  const time = saidMomentWithSlashes(due)
  await insertOver(db, task, kept('服务当时未运行，错过了 {time} 的执行', { time }), now)
  // What is skipped from now on stands in a line of its own.
  await db.updateTable('device_task').set({ skipped: 0 }).where('task_id', '=', task.task_id).execute()
}
