/** What a crash, a halt or a deletion left behind: looked for every few seconds, by each server; doing it twice is no harm. */
import { DeployStatus, TaskSchedule } from '@ithings/contract/features/tasks.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { parkedUntil, RowState, RunState } from '#features/rollouts/door.ts'
import { prepareKind } from './prepare-run.ts'
import { startPreparing } from './start-run.ts'
import { openRunIDs } from './store.ts'
import type { TasksDeps } from './tasks-deps.ts'

/** A server may be just about to start the job. */
const graceMs = 30_000

/** A review halted it (task-kind.ts), an earlier one that is tried again too: what is left is cancelled, so that it ends. */
export async function endHalted({ db, rollouts }: TasksDeps, runID?: number): Promise<void> {
  const one = runID === undefined ? sql`` : sql`and run_id = ${runID}`
  const { rows } = await sql<{ run_id: number; reason: string }>`
    select run_id, reason from rollout
    where kind = 'task' and state = ${RunState.paused} ${one}`.execute(db)
  for (const { run_id, reason } of rows) await rollouts.cancelRun(run_id, reason)
}

interface Stuck {
  run_id: number
  task_id: number
  name: string
  user_id: number
  user_name: string
}

/** The job that lists its devices was never started. One that failed or was cancelled ends its run (features/rollouts). */
export async function mendPreparing(deps: TasksDeps): Promise<void> {
  const { rows } = await sql<Stuck>`
    select r.run_id, t.task_id, t.name, t.user_id, t.user_name
    from device_task t join rollout r on r.run_id = t.last_run
    where r.state = ${RunState.preparing} and r.created_at < ${deps.clock.now() - graceMs}
      and not exists (select from job where kind = ${prepareKind} and input ->> 'runID' = r.run_id::text)`.execute(
    deps.db,
  )
  for (const { run_id: runID, task_id: taskID, name: taskName, ...row } of rows) {
    await startPreparing(deps, { runID, taskID, taskName }, { userID: row.user_id, userName: row.user_name })
  }
}

/** Schedules whose product or group is gone rest, and say why. */
export async function restOrphans({ db }: TasksDeps): Promise<void> {
  await sql`
    update device_task t set next_run_at = null,
      is_enable = case when t.schedule = ${TaskSchedule.cron} then 2 else t.is_enable end,
      reason = case when p.product_id is null then ${kept('产品已删除')} else ${kept('分组已删除')} end
    from device_task o
    left join product p on p.product_id = o.product_id
    left join device_group g on g.group_id = (o.plan ->> 'groupID')::bigint
    where o.task_id = t.task_id and t.next_run_at is not null
      and (p.product_id is null or (o.plan ->> 'groupID' is not null and g.group_id is null))`.execute(db)
}

/** Devices that were given time to come back after a start of the platform: those that did not are tried as they are. */
export async function endPatience({ db, clock, rollouts }: TasksDeps, patienceMs: number): Promise<void> {
  const runs = await openRunIDs(db)
  if (runs.length === 0) return
  const now = clock.now()
  const { numAffectedRows = 0n } = await sql`
    with picked as (
      select id from rollout_device
      where run_id = any(${runs}::bigint[]) and status = ${sql.lit(DeployStatus.waiting)} and state = ${sql.lit(RowState.waiting)}
        and due_at >= ${sql.lit(parkedUntil)} and updated_at <= ${now - patienceMs}
      order by id for update
    )
    update rollout_device one set due_at = ${now}, updated_at = ${now} from picked where one.id = picked.id`.execute(db)
  if (numAffectedRows > 0n) rollouts.nudge()
}
