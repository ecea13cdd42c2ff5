/**
 * Upgrades that failed and configurations that did not arrive, in runs of the last seven days: each device once, by its
 * last run, while it is there and nothing else has brought it what it missed.
 */
import { dayMs } from '@ithings/contract/durations.ts'
import { type AttentionRow, attentionReach } from '@ithings/contract/features/home.ts'
import { PushState } from '@ithings/contract/features/remote-config.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { parkedUntil, RowState, RunState } from '#features/rollouts/door.ts'

const recentMs = 7 * dayMs
const reach = sql.lit(attentionReach)

export interface Stretch {
  limit: number
  offset: number
}

/** A kind of runs, in SQL about `run` (rollout) and `one` (rollout_device). */
interface Trouble {
  kind: 'ota' | 'config'
  /** Runs that may have missed some, and how many at most. */
  runs: RawBuilder<boolean>
  missed: RawBuilder<number>
  /** Rows of such a run, the newest first where an index knows them. */
  rows: RawBuilder<unknown>
  /** Of such a row: the device has it by now. */
  mended: RawBuilder<boolean>
  taskUid: RawBuilder<string>
}

const upgrades: Trouble = {
  kind: 'ota',
  runs: sql<boolean>`run.failed > 0`,
  missed: sql<number>`run.failed`,
  rows: sql`state = ${sql.lit(RowState.failed)} order by updated_at desc`,
  mended: sql<boolean>`false`,
  taskUid: sql<string>`coalesce((select task_uid from ota_task where ota_task.run_id = one.run_id), '')`,
}

/**
 * Pushes that have tried every device: who waits for its turn is not missing anything. Cancelled ones were not meant to
 * arrive any more.
 */
const pushes: Trouble = {
  kind: 'config',
  runs: sql<boolean>`run.total > run.success
    and (run.state = ${sql.lit(RunState.done)} or run.state = ${sql.lit(RunState.running)} and not exists (
      select from rollout_device one where one.run_id = run.run_id and one.state = ${sql.lit(RowState.waiting)}
        and one.due_at < ${sql.lit(parkedUntil)}))`,
  missed: sql<number>`run.total - run.success`,
  rows: sql`status in (${sql.lit(PushState.pending)}, ${sql.lit(PushState.failed)})`,
  // Also by a task, or because it asked for it itself. Versions rise.
  mended: sql<boolean>`coalesce(
    (select config_id from device_config where device_config.device_id = one.device_id) >= one.owner_id, false)`,
  taskUid: sql<string>`''`,
}

const recentRuns = ({ kind }: Trouble, now: number) => sql`
  select * from rollout where kind = ${sql.lit(kind)} and created_at >= ${now - recentMs}`

/**
 * A device that a later run reached, tried or is about to try is a matter of that run. Later ones are recent, too. Asked
 * of one row after the other, as all here: joined at once, all devices of these runs would be read.
 */
const triedAgain = sql<boolean>`coalesce((
  select true from recent later join rollout_device again on again.run_id = later.run_id and again.device_id = one.device_id
  where later.product_id = one.product_id and later.run_id > one.run_id
    and again.state <> ${sql.lit(RowState.cancelled)} limit 1), false)`

/**
 * Those who are left, as `with ... select`; devices that were deleted need nothing. Of the newest runs, as many as have
 * the reach together.
 */
const missing = (trouble: Trouble, now: number, columns: RawBuilder<unknown>) => sql`
  with recent as materialized (${recentRuns(trouble, now)}), counted as materialized (
    select run.*, sum(${trouble.missed}) over (order by run.run_id desc) - (${trouble.missed}) as before
    from recent run where ${trouble.runs}
  ), looked as materialized (
    select one.*, run.owner_id from counted run cross join lateral (
      select * from rollout_device where rollout_device.run_id = run.run_id and ${trouble.rows} limit ${reach}) one
    where run.before < ${reach})
  select ${columns} from looked one join device using (device_id)
  where not ${trouble.mended} and not ${triedAgain}`

/** Beyond the reach as the runs count: a device in two of them twice. */
async function countMissing(db: Db, trouble: Trouble, now: number): Promise<number> {
  const counted = await sql<{ missed: number }>`
    select coalesce(sum(${trouble.missed}), 0)::integer as missed from (${recentRuns(trouble, now)}) run
    where ${trouble.runs}`.execute(db)
  const most = counted.rows[0]?.missed ?? 0
  if (most === 0 || most > attentionReach) return most
  const { rows } = await sql<{ missed: number }>`${missing(trouble, now, sql`count(*)::integer as missed`)}`.execute(db)
  return rows[0]?.missed ?? 0
}

async function listMissing(
  db: Db,
  trouble: Trouble,
  { limit, offset }: Stretch,
  now: number,
): Promise<Omit<AttentionRow, 'kind'>[]> {
  const columns = sql`one.product_id as "productID", one.device_name as "deviceName",
    device_alias as "deviceAlias", one.updated_at as since, one.msg as text, ${trouble.taskUid} as "taskUid"`
  const { rows } = await sql<Omit<AttentionRow, 'kind'>>`
    ${missing(trouble, now, columns)} order by one.updated_at desc, device_id limit ${limit} offset ${offset}`.execute(
    db,
  )
  return rows
}

export const countUpgrades = (db: Db, now: number): Promise<number> => countMissing(db, upgrades, now)
export const countUndelivered = (db: Db, now: number): Promise<number> => countMissing(db, pushes, now)

export const listUpgrades = async (db: Db, stretch: Stretch, now: number): Promise<AttentionRow[]> =>
  (await listMissing(db, upgrades, stretch, now)).map((row) => ({ kind: 'upgrade', ...row }))
export const listUndelivered = async (db: Db, stretch: Stretch, now: number): Promise<AttentionRow[]> =>
  (await listMissing(db, pushes, stretch, now)).map((row) => ({ kind: 'config', ...row }))
