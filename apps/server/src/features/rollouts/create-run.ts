/** A run comes to be: first itself, then its devices in steps, then it may begin. All in the caller's transactions. */
import { sql } from 'kysely'
import { jsonText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import { finishRun } from './finish-run.ts'
import { type RolloutKind, type RolloutKindName, RunState } from './rollout-kind.ts'
import type { NewRow, NewRun } from './rollouts-deps.ts'
import { toRun } from './run-row.ts'

export interface RunDeps {
  clock: Clock
  kindOf(name: RolloutKindName): RolloutKind
}

export async function createRun(db: Db, { clock }: RunDeps, run: NewRun): Promise<number> {
  const { run_id: runID } = await db
    .insertInto('rollout')
    .values({
      kind: run.kind,
      owner_id: run.ownerID,
      product_id: run.productID,
      topic: run.topic,
      trigger: run.trigger,
      state: RunState.preparing,
      per_minute: Math.max(1, run.perMinute),
      limit_to: run.limitTo ?? null,
      retries: run.retries,
      retry_ms: run.retryMs,
      start_at: run.startAt,
      end_at: run.endAt ?? 0,
      user_name: run.userName,
      created_at: clock.now(),
    })
    .returning('run_id')
    .executeTakeFirstOrThrow()
  return runID
}

const takesRows = new Set<number>([RunState.preparing, RunState.waiting, RunState.running, RunState.paused])

export const lockRun = (db: Db, runID: number) =>
  db.selectFrom('rollout').selectAll().where('run_id', '=', runID).forUpdate().executeTakeFirst()

export async function addRows(db: Db, deps: RunDeps, runID: number, rows: readonly NewRow[]): Promise<number> {
  const run = await lockRun(db, runID)
  if (!run || !takesRows.has(run.state) || rows.length === 0) return 0
  const { waiting } = deps.kindOf(run.kind).statuses
  // A device that is named twice is one device.
  const fresh = [...new Map(rows.map((row) => [row.deviceID, row])).values()]
  const { numAffectedRows } = await sql`
    insert into rollout_device (run_id, device_id, product_id, device_name, position, status, detail, updated_at)
    select ${runID}, given.device_id, given.product_id, given.device_name,
      ${run.total} + row_number() over (order by given.nr), ${waiting}, given.detail, ${deps.clock.now()}
    from unnest(
      ${fresh.map((row) => row.deviceID)}::bigint[], ${fresh.map((row) => row.productID)}::text[],
      ${fresh.map((row) => row.deviceName)}::text[], ${fresh.map((row) => jsonText(row.detail ?? {}))}::jsonb[]
    ) with ordinality as given (device_id, product_id, device_name, detail, nr)
    where not exists (select from rollout_device known where known.run_id = ${runID} and known.device_id = given.device_id)`.execute(
    db,
  )
  const added = Number(numAffectedRows ?? 0n)
  await db
    .updateTable('rollout')
    .set({ total: run.total + added })
    .where('run_id', '=', runID)
    .execute()
  return added
}

export async function readyRun(db: Db, deps: RunDeps, runID: number): Promise<void> {
  const found = await lockRun(db, runID)
  if (found?.state !== RunState.preparing) return
  await db.updateTable('rollout').set({ state: RunState.waiting }).where('run_id', '=', runID).execute()
  const run = { ...toRun(found), state: RunState.waiting }
  const kind = deps.kindOf(found.kind)
  if (found.total > 0 || (await kind.staysOpen?.(db, run))) return
  await finishRun(db, kind, run, { state: RunState.done, now: deps.clock.now() })
}
