/**
 * Reports whose moment has come. Whoever moves the moment on, with the report locked, begins the run in the same
 * transaction: one of several servers does. Of moments that passed while the platform was off the newest is made up for.
 */
import { ReportTrigger } from '@ithings/contract/features/reports.ts'
import { sql } from 'kysely'
import type { Loop } from '#background/loop.ts'
import type { Db } from '#db/schema.ts'
import { lastMoment, nextMoment, periodOf } from './periods.ts'
import type { ReportsDeps } from './reports-deps.ts'
import { startRun } from './start-run.ts'
import type { ReportRow } from './store.ts'

const lookMs = 1_000
const atOnce = 100
/** A moment that is older was missed. */
const punctualMs = 60_000

const takeDue = (db: Db, now: number): Promise<ReportRow | undefined> =>
  db
    .selectFrom('report')
    .selectAll()
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** @returns whether there was one */
async function runOne(deps: ReportsDeps): Promise<boolean> {
  const now = deps.clock.now()
  const found = await deps.db.transaction().execute(async (db) => {
    const report = await takeDue(db, now)
    if (!report) return false
    const { plan, user_id: userID, user_name: userName } = report
    const at = Math.max(report.next_at ?? now, lastMoment(plan, now) ?? 0)
    await startRun(deps, db, report, {
      trigger: now - at > punctualMs ? ReportTrigger.late : ReportTrigger.timer,
      period: periodOf(plan, at),
      tell: true,
      person: { userID, userName },
    })
    await db
      .updateTable('report')
      .set({ next_at: nextMoment(plan, now) })
      .where('id', '=', report.id)
      .execute()
    return true
  })
  if (found) deps.jobs.bell.ring()
  return found
}

/** @returns the next known moment */
async function runDue(deps: ReportsDeps): Promise<number | undefined> {
  for (let ran = 0; ran < atOnce; ran += 1) {
    if (await runOne(deps)) continue
    const { rows } = await sql<{ at: number | null }>`select min(next_at) as at from report`.execute(deps.db)
    return rows[0]?.at ?? undefined
  }
  return deps.clock.now()
}

export const makeReportWork = (deps: ReportsDeps): Loop =>
  deps.background.loop({ name: 'reports.schedule', everyMs: lookMs, turn: () => runDue(deps) })
