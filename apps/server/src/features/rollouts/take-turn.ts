/**
 * A run's turn on this server: locked, so that pace, stages and its end are decided by one server at a time; whoever
 * finds it locked leaves it. Devices are claimed here and sent to after the commit.
 */
import { errors } from '@ithings/contract/errors.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { countRows, openOf } from './count-rows.ts'
import { countColumns, finishRun } from './finish-run.ts'
import { allowance, beginPace, type Pace, spend } from './pace.ts'
import {
  type RolloutKind,
  type RolloutKindName,
  type RolloutRow,
  type RolloutRun,
  RowState,
  RunState,
} from './rollout-kind.ts'
import { leaseMs } from './row-step.ts'
import { type RowColumns, type RunColumns, toRow, toRun } from './run-row.ts'

export interface TurnOrder {
  runID: number
  now: number
  serverID: string
  kinds: ReadonlyMap<RolloutKindName, RolloutKind>
  /** Whether counts, stages and the end of the run are looked at in this turn. */
  review: boolean
  /** Taken earlier but not sent: their devices were not there. */
  giveBack: number
  /** How many rows this server can send now. */
  most: number
  /** Whether to wait for the lock of the run instead of leaving it to the server that has it. */
  wait: boolean
}

export interface Claimed extends RolloutRow {
  /** False: its device was deleted meanwhile. */
  exists: boolean
}

export interface Turn {
  run: RolloutRun
  claimed: Claimed[]
  /** How long counting took, which decides how often it is done. */
  countMs: number
  /** Whether something changed that screens show. */
  changed: boolean
}

const lock = (db: Db, { runID, wait }: TurnOrder) =>
  db
    .selectFrom('rollout')
    .selectAll()
    .where('run_id', '=', runID)
    .forUpdate()
    .$if(!wait, (query) => query.skipLocked())
    .executeTakeFirst()

const expire = async (db: Db, kind: RolloutKind, runID: number, now: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    with picked as (select id from rollout_device where run_id = ${runID} and state = 1 order by id for update)
    update rollout_device one set state = ${RowState.failed}, status = ${kind.statuses.failed},
      code = ${errors.timeout.code}, msg = ${kept('已超过截止时间')}, done_at = ${now}, updated_at = ${now}
    from picked where one.id = picked.id`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** The token of each try is made here: it marks the claim too, so that a late word about another try is known. */
async function claim(db: Db, order: TurnOrder, limitTo: number | undefined, most: number): Promise<Claimed[]> {
  const { runID, now, serverID } = order
  const { rows } = await sql<RowColumns & { exists: boolean }>`
    with taken as (
      select id from rollout_device
      where run_id = ${runID} and state = 1 and due_at < 9000000000000000 and due_at <= ${now}
        and position <= ${limitTo ?? 2_147_483_647}
      order by position limit ${most} for update skip locked
    )
    update rollout_device one set state = ${RowState.sent}, claimed_by = ${serverID}, attempts = attempts + 1,
      client_token = replace(gen_random_uuid()::text, '-', ''), sent_at = 0, due_at = ${now + leaseMs},
      updated_at = ${now}
    from taken where one.id = taken.id
    returning one.*, exists (select from device where device.device_id = one.device_id) as exists`.execute(db)
  return rows.map((row) => ({ ...toRow(row), exists: row.exists })).sort((a, b) => a.position - b.position)
}

interface Looked {
  run: RolloutRun
  /** It ended, or was halted. */
  over: boolean
  changed: boolean
  countMs: number
}

async function look(db: Db, kind: RolloutKind, found: RunColumns, run: RolloutRun, now: number): Promise<Looked> {
  const began = performance.now()
  const counts = await countRows(db, run.runID)
  const countMs = performance.now() - began
  const withinQueryLimit = run.endAt === 0 || run.endAt > now
  if (openOf(counts) === 0 && !(withinQueryLimit && (await kind.staysOpen?.(db, run)))) {
    await finishRun(db, kind, run, { state: RunState.done, now, counts })
    return { run, over: true, changed: true, countMs }
  }
  const columns = countColumns(counts)
  const moved = columns.total !== found.total || columns.success !== found.success || columns.failed !== found.failed
  const updated = { ...run, total: columns.total }
  if (moved) await db.updateTable('rollout').set(columns).where('run_id', '=', run.runID).execute()
  if (run.state !== RunState.running || !kind.review) return { run: updated, over: false, changed: moved, countMs }
  const judged = run.reopenedAt > 0 ? await countRows(db, run.runID, run.reopenedAt) : counts
  const { limitTo = run.limitTo, halt } = await kind.review(db, updated, judged)
  if (halt !== undefined) {
    await finishRun(db, kind, updated, { state: RunState.paused, reason: halt, now, counts })
    return { run: updated, over: true, changed: true, countMs }
  }
  const changed = moved || limitTo !== run.limitTo
  if (limitTo !== run.limitTo) {
    await db
      .updateTable('rollout')
      .set({ limit_to: limitTo ?? null })
      .where('run_id', '=', run.runID)
      .execute()
  }
  return { run: { ...updated, limitTo }, over: false, changed, countMs }
}

async function begin(db: Db, run: RolloutRun, now: number): Promise<Pace> {
  const pace = beginPace(run.perMinute, now)
  const startedAt = run.startedAt || now
  Object.assign(run, { state: RunState.running, startedAt })
  await db
    .updateTable('rollout')
    .set({ state: RunState.running, started_at: startedAt, paced_from: pace.from, paced_count: pace.count })
    .where('run_id', '=', run.runID)
    .execute()
  return pace
}

async function take(db: Db, order: TurnOrder, run: RolloutRun, before: Pace): Promise<Claimed[]> {
  const { now, giveBack, most } = order
  const paced = { ...before, count: before.count - giveBack }
  const { allowed, pace } = allowance(paced, run.perMinute, now)
  const claimed = allowed > 0 && most > 0 ? await claim(db, order, run.limitTo, Math.min(allowed, most)) : []
  if (claimed.length > 0 || giveBack > 0) {
    const after = spend(pace, run.perMinute, claimed.length)
    await db
      .updateTable('rollout')
      .set({ paced_from: after.from, paced_count: after.count })
      .where('run_id', '=', run.runID)
      .execute()
  }
  return claimed
}

const isOpenRun = (state: number): boolean =>
  state === RunState.waiting || state === RunState.running || state === RunState.paused

/** @returns undefined: another server has it, or it is over */
export function takeTurn(db: Db, order: TurnOrder): Promise<Turn | undefined> {
  const { runID, now, kinds } = order
  return db.transaction().execute(async (db) => {
    const found = await lock(db, order)
    const kind = found && kinds.get(found.kind)
    if (!kind || !isOpenRun(found.state)) return undefined
    let run = toRun(found)
    let pace: Pace = { from: found.paced_from, count: found.paced_count }
    let changed = false
    if (run.state === RunState.waiting && run.startAt <= now) {
      pace = await begin(db, run, now)
      changed = true
    }
    const expired = run.endAt > 0 && run.endAt <= now ? await expire(db, kind, runID, now) : 0
    let countMs = 0
    if (order.review || changed || expired > 0) {
      const looked = await look(db, kind, found, run, now)
      countMs = looked.countMs
      changed ||= looked.changed || expired > 0
      if (looked.over) return { run: looked.run, claimed: [], countMs, changed: true }
      run = looked.run
    }
    const claimed = run.state === RunState.running ? await take(db, order, run, pace) : []
    return { run, claimed, countMs, changed: changed || claimed.length > 0 }
  })
}
