import { errors, refusal } from '@ithings/contract/errors.ts'
import { DeployStatus, TaskSchedule } from '@ithings/contract/features/tasks.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { RolloutTable } from '#db/tables/rollouts.ts'
import type { DeviceTaskTable } from '#db/tables/tasks.ts'
import { RunState } from '#features/rollouts/door.ts'

export type TaskRow = Selectable<DeviceTaskTable>
export type RunRow = Selectable<RolloutTable>

export const unknownTask = (taskID: number) =>
  refusal(errors.notFound, '设备任务 {taskID} 不存在', { taskID }, { field: 'taskID' })

export async function findTask(db: Db, taskID: number): Promise<TaskRow> {
  const row = await db.selectFrom('device_task').selectAll().where('task_id', '=', taskID).executeTakeFirst()
  if (!row) throw unknownTask(taskID)
  return row
}

/** Needs a transaction: nobody else edits, runs, retries or deletes it until the end. */
export async function lockTask(db: Db, taskID: number): Promise<TaskRow> {
  const row = await db
    .selectFrom('device_task')
    .selectAll()
    .where('task_id', '=', taskID)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw unknownTask(taskID)
  return row
}

const openStates: number[] = [RunState.waiting, RunState.running, RunState.paused, RunState.preparing]
export const isOpen = ({ state }: Pick<RunRow, 'state'>): boolean => openStates.includes(state)

/** The run of a task that is still under way. */
export const findOpenRun = (db: Db, taskID: number): Promise<RunRow | undefined> =>
  db
    .selectFrom('rollout')
    .selectAll()
    .where('kind', '=', 'task')
    .where('owner_id', '=', taskID)
    .where('state', 'in', openStates)
    .orderBy('run_id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Runs that something may still happen to: of all runs a few. */
export async function openRunIDs(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('rollout')
    .select('run_id')
    .where('kind', '=', 'task')
    .where('state', 'in', [RunState.waiting, RunState.running])
    .execute()
  return rows.map((row) => row.run_id)
}

/** @param runID absent: the latest; undefined when the task never ran */
export async function findRun(db: Db, task: TaskRow, runID: string | undefined): Promise<RunRow | undefined> {
  if (runID === undefined && task.last_run === null) return undefined
  const wanted = runID === undefined ? task.last_run : Number(runID)
  const row = Number.isSafeInteger(wanted)
    ? await db
        .selectFrom('rollout')
        .selectAll()
        .where('run_id', '=', wanted)
        .where('kind', '=', 'task')
        .where('owner_id', '=', task.task_id)
        .executeTakeFirst()
    : undefined
  if (row) return row
  throw refusal(
    errors.notFound,
    '任务 {taskID} 没有执行批次 {runID}',
    { taskID: task.task_id, runID },
    { field: 'runID' },
  )
}

/**
 * screens.md 7.3 of a run: all 1 is 1; any 2, or 1 mixed with finished, is 2; all 3 is 3; else 4. By the counters of
 * the run, so that lists need not look at its devices. A skipped or cancelled run without devices is 4.
 */
export const runStatus = sql<DeployStatus>`case
  when rollout.state = ${sql.lit(RunState.preparing)} then ${sql.lit(DeployStatus.waiting)}
  when rollout.state = ${sql.lit(RunState.waiting)} and rollout.success + rollout.failed = 0
    then ${sql.lit(DeployStatus.waiting)}
  when rollout.state in (${sql.lit(RunState.waiting)}, ${sql.lit(RunState.running)}, ${sql.lit(RunState.paused)})
    then ${sql.lit(DeployStatus.running)}
  when rollout.success = rollout.total and (rollout.state = ${sql.lit(RunState.done)} or rollout.total > 0)
    then ${sql.lit(DeployStatus.success)}
  else ${sql.lit(DeployStatus.failed)} end`

/** Of a task: its latest run; one for a moment that was cancelled before it came is over. */
export const taskStatus = sql<DeployStatus>`case
  when rollout.run_id is not null then ${runStatus}
  when device_task.schedule = ${sql.lit(TaskSchedule.once)} and device_task.next_run_at is null
    then ${sql.lit(DeployStatus.failed)}
  else ${sql.lit(DeployStatus.waiting)} end`

/** One task with its run. */
export const selectTasks = (db: Db) =>
  db.selectFrom('device_task').leftJoin('rollout', 'rollout.run_id', 'device_task.last_run')
