/** What people do with a run and its devices. The run is locked first, then its rows: see row-writer.ts. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { isAway } from './count-rows.ts'
import { lockRun, type RunDeps } from './create-run.ts'
import { finishRun } from './finish-run.ts'
import { beginPace } from './pace.ts'
import { type RolloutRun, RowState, RunState } from './rollout-kind.ts'
import type { RowChoice } from './rollouts-deps.ts'
import { type RunColumns, toRun } from './run-row.ts'

/** Undefined: nothing happened. */
type Done<T> = { run: RolloutRun; result: T } | undefined

const chosen = ({ ids, deviceNames, status, away }: RowChoice, now: number): RawBuilder<unknown> =>
  sql.join(
    [
      sql`true`,
      ...(ids ? [sql`id = any (${ids})`] : []),
      ...(deviceNames ? [sql`device_name = any (${deviceNames})`] : []),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(away ? [isAway(now)] : []),
    ],
    sql` and `,
  )

const affected = async (work: Promise<{ numAffectedRows?: bigint }>) => Number((await work).numAffectedRows ?? 0n)

function cancelOpen(db: Db, deps: RunDeps, run: RunColumns, choice: RowChoice, msg: string): Promise<number> {
  const now = deps.clock.now()
  return affected(
    sql`with picked as (
        select id from rollout_device where run_id = ${run.run_id} and state in (1, 2) and ${chosen(choice, now)}
        order by id for update
      )
      update rollout_device one set state = ${RowState.cancelled}, status = ${deps.kindOf(run.kind).statuses.cancelled},
        code = 0, msg = ${msg}, done_at = ${now}, updated_at = ${now} from picked where one.id = picked.id`.execute(db),
  )
}

export function cancelRows(
  db: Db,
  deps: RunDeps,
  runID: number,
  choice: RowChoice,
  msg: string,
): Promise<Done<number>> {
  return db.transaction().execute(async (db) => {
    const run = await lockRun(db, runID)
    return run && { run: toRun(run), result: await cancelOpen(db, deps, run, choice, msg) }
  })
}

const isOver = (state: number): boolean => state === RunState.done || state === RunState.cancelled

export function retryRows(db: Db, deps: RunDeps, runID: number, choice: RowChoice): Promise<Done<number>> {
  return db.transaction().execute(async (db) => {
    const run = await lockRun(db, runID)
    if (!run || run.state === RunState.preparing) return undefined
    const now = deps.clock.now()
    const kind = deps.kindOf(run.kind)
    const { waiting } = kind.statuses
    const over = isOver(run.state)
    // One that was halted since is resumed as any other: by what came of its devices.
    const again = run.reopened_at > 0 && run.state === RunState.running
    const result = await affected(
      sql`with picked as (
          select id from rollout_device where run_id = ${runID} and state in (4, 5) and ${chosen(choice, now)}
          order by id for update
        )
        update rollout_device one set state = ${RowState.waiting}, status = ${waiting}, code = 0, msg = '',
          tried_before = attempts,
          client_token = '', claimed_by = '', due_at = 0, sent_at = 0, done_at = 0, updated_at = ${now}
        from picked where one.id = picked.id`.execute(db),
    )
    if (result > 0) {
      const pace = beginPace(run.per_minute, now)
      const reopened = { state: RunState.running, reason: '', finished_at: 0, started_at: run.started_at || now }
      await db
        .updateTable('rollout')
        .set({
          ...(over ? { ...reopened, paced_from: pace.from, paced_count: pace.count } : {}),
          ...(over || again ? { reopened_at: now } : {}),
          // Whoever asks for another try after the end wants it in spite of it.
          end_at: run.end_at <= now ? 0 : run.end_at,
        })
        .where('run_id', '=', runID)
        .execute()
      if (over) await kind.reopened?.(db, { ...toRun(run), state: RunState.running, reopenedAt: now })
    }
    return { run: toRun(run), result }
  })
}

export function pauseRun(db: Db, runID: number, reason: string): Promise<Done<true>> {
  return db.transaction().execute(async (db) => {
    const run = await lockRun(db, runID)
    if (run?.state !== RunState.waiting && run?.state !== RunState.running) return undefined
    await db.updateTable('rollout').set({ state: RunState.paused, reason }).where('run_id', '=', runID).execute()
    return { run: toRun(run), result: true as const }
  })
}

export function resumeRun(db: Db, deps: RunDeps, runID: number): Promise<Done<true>> {
  return db.transaction().execute(async (db) => {
    const run = await lockRun(db, runID)
    if (run?.state !== RunState.paused) return undefined
    const pace = beginPace(run.per_minute, deps.clock.now())
    const state = run.started_at === 0 ? RunState.waiting : RunState.running
    await db
      .updateTable('rollout')
      .set({ state, reason: '', paced_from: pace.from, paced_count: pace.count })
      .where('run_id', '=', runID)
      .execute()
    return { run: toRun(run), result: true as const }
  })
}

export function endRunAt(db: Db, runID: number, at: number): Promise<Done<true>> {
  return db.transaction().execute(async (db) => {
    const run = await lockRun(db, runID)
    if (!run || isOver(run.state)) return undefined
    await db.updateTable('rollout').set({ end_at: at }).where('run_id', '=', runID).execute()
    return { run: toRun(run), result: true as const }
  })
}

export function cancelRun(db: Db, deps: RunDeps, runID: number, msg: string): Promise<Done<true>> {
  return db.transaction().execute(async (db) => {
    const found = await lockRun(db, runID)
    if (!found || isOver(found.state)) return undefined
    await cancelOpen(db, deps, found, {}, msg)
    const run = toRun(found)
    await finishRun(db, deps.kindOf(found.kind), run, { state: RunState.cancelled, reason: msg, now: deps.clock.now() })
    return { run, result: true as const }
  })
}
