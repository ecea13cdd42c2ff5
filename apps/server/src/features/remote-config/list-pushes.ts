import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import {
  type ConfigPush,
  type listConfigPushes as endpoint,
  PushStatus,
} from '@ithings/contract/features/remote-config.ts'
import { type Selectable, sql } from 'kysely'
import { fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import type { RolloutTable } from '#db/tables/rollouts.ts'
import { parkedUntil, RowState, RunState } from '#features/rollouts/door.ts'
import { readRunID } from './run-id.ts'

/** Some were not tried yet; the others that are open wait for their device, not for us. */
const untried = sql<boolean>`exists (
  select 1 from rollout_device d
  where d.run_id = rollout.run_id and d.state = ${sql.lit(RowState.waiting)} and d.due_at < ${sql.lit(parkedUntil)})`

const status = sql<PushStatus>`case
  when state = ${RunState.cancelled} then ${sql.lit(PushStatus.cancelled)}
  when state = ${RunState.done} then ${sql.lit(PushStatus.over)}
  when state = ${RunState.running} and not ${untried} then ${sql.lit(PushStatus.waiting)}
  else ${sql.lit(PushStatus.running)} end`

const columns = { runID: 'run_id', startedTime: 'created_at', configID: 'owner_id', total: 'total' } as const

function toPush(row: Selectable<RolloutTable> & { status: PushStatus }): ConfigPush {
  const { total, success, failed } = row
  const open = total - success - failed
  const isCancelled = row.state === RunState.cancelled
  return {
    runID: String(row.run_id),
    configID: row.owner_id,
    scope: row.trigger,
    status: row.status,
    reason: row.reason,
    rate: row.per_minute,
    total,
    delivered: success,
    // Devices are cancelled together with their run, never alone.
    pending: isCancelled ? 0 : open,
    cancelled: isCancelled ? open : 0,
    failed,
    userName: row.user_name,
    startedTime: row.created_at,
    finishedTime: row.finished_at,
  }
}

/** Newest first. */
export async function listPushes(db: Db, input: BodyOutput<typeof endpoint>) {
  const filtered = db
    .selectFrom('rollout')
    .where('kind', '=', 'config')
    .where('product_id', '=', input.productID)
    .$if(input.runID !== undefined, (q) => q.where('run_id', '=', readRunID(input.runID ?? '')))
    .$if(input.configID !== undefined, (q) => q.where('owner_id', '=', input.configID ?? 0))
    .$if(input.status !== undefined, (q) => q.where(sql<boolean>`${status} = ${input.status}`))
  const page = await fetchPage(filtered, (q) => q.selectAll().select(status.as('status')), input.page, {
    columns,
    fallback: { column: 'run_id', desc: true },
  })
  return { list: page.list.map(toPush), total: page.total }
}
