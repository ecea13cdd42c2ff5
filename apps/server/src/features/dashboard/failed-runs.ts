/** Upgrades that failed and configurations that did not arrive, in runs of the last seven days. */
import type { AttentionRow } from '@ithings/contract/features/home.ts'
import { PushState } from '@ithings/contract/features/remote-config.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { parkedUntil, RowState, RunState } from '#features/rollouts/door.ts'
import { dayMs } from './home-times.ts'

const recentMs = 7 * dayMs
/** So many are looked at one by one; of more the counters of the runs tell. */
const mostLooked = 2_000

/** A device that a later run upgraded, or is about to, is no longer a failure. */
const triedAgain = sql`exists (
  select from rollout later join rollout_device again on again.run_id = later.run_id and again.device_id = one.device_id
  where later.kind = 'ota' and later.product_id = run.product_id and later.run_id > run.run_id
    and again.state in (${sql.lit(RowState.waiting)}, ${sql.lit(RowState.sent)}, ${sql.lit(RowState.success)}))`

const recentUpgrades = (now: number) => sql`
  select run_id, product_id, failed from rollout where kind = 'ota' and created_at >= ${now - recentMs} and failed > 0`

export async function countUpgrades(db: Db, now: number): Promise<number> {
  const counted = await sql<{ failed: number }>`
    select coalesce(sum(failed), 0)::integer as failed from (${recentUpgrades(now)}) run`.execute(db)
  const failed = counted.rows[0]?.failed ?? 0
  if (failed > mostLooked) return failed
  const { rows } = await sql<{ failed: number }>`
    select count(distinct one.device_id)::integer as failed from (${recentUpgrades(now)}) run
    join rollout_device one on one.run_id = run.run_id and one.state = ${sql.lit(RowState.failed)}
    where not ${triedAgain}`.execute(db)
  return rows[0]?.failed ?? 0
}

type Listed = Omit<AttentionRow, 'kind'>

const columns = sql`one.product_id as "productID", one.device_name as "deviceName",
  coalesce(device_alias, '') as "deviceAlias", one.updated_at as since, one.msg as text`

export async function listUpgrades(db: Db, limit: number, now: number): Promise<AttentionRow[]> {
  const { rows } = await sql<Listed>`
    select ${columns}, coalesce(task_uid, '') as "taskUid"
    from (${recentUpgrades(now)}) run
    cross join lateral (
      select * from rollout_device one where one.run_id = run.run_id and one.state = ${sql.lit(RowState.failed)}
        and not ${triedAgain} order by one.updated_at desc limit ${limit}) one
    left join ota_task on ota_task.run_id = run.run_id
    left join device using (device_id)
    order by one.updated_at desc limit ${limit}`.execute(db)
  return rows.map((row) => ({ kind: 'upgrade', ...row }))
}

/**
 * Pushes that have tried every device: who waits for its turn is not missing anything. Cancelled ones were not meant to
 * arrive any more.
 */
const recentPushes = (now: number) => sql`
  select run_id, total, success from rollout run where kind = 'config' and created_at >= ${now - recentMs} and total > success
    and (state = ${sql.lit(RunState.done)} or state = ${sql.lit(RunState.running)} and not exists (
      select from rollout_device one where one.run_id = run.run_id and one.state = ${sql.lit(RowState.waiting)}
        and one.due_at < ${sql.lit(parkedUntil)}))`

export async function countUndelivered(db: Db, now: number): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select coalesce(sum(total - success), 0)::integer as open from (${recentPushes(now)}) run`.execute(db)
  return rows[0]?.open ?? 0
}

export async function listUndelivered(db: Db, limit: number, now: number): Promise<AttentionRow[]> {
  const { rows } = await sql<Listed>`
    select ${columns}, '' as "taskUid"
    from (${recentPushes(now)}) run
    cross join lateral (
      select * from rollout_device one where one.run_id = run.run_id
        and one.status in (${sql.lit(PushState.pending)}, ${sql.lit(PushState.failed)}) limit ${limit}) one
    left join device using (device_id)
    order by one.updated_at desc limit ${limit}`.execute(db)
  return rows.map((row) => ({ kind: 'config', ...row }))
}
