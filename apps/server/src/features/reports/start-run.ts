/** A run begins: its row and its job, in one transaction. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { type runReport as endpoint, ReportTrigger } from '@ithings/contract/features/reports.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { startJob } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { checkPeriod } from './check-report.ts'
import { lastPeriod, type Period } from './periods.ts'
import type { ReportsDeps } from './reports-deps.ts'
import { findReport, type ReportRow } from './store.ts'

export const reportKind = 'report.make'
/** Of one report at a time, so that nobody fills the queue by one button. */
const mostOpen = 5

export interface NewRun {
  trigger: ReportTrigger
  period: Period
  tell: boolean
  person: { userID: number; userName: string }
}

/** Needs a transaction; the job is found by its loop when that has ended. */
export async function startRun(deps: ReportsDeps, db: Db, report: ReportRow, run: NewRun) {
  const { id } = await db
    .insertInto('report_run')
    .values({
      report_id: report.id,
      job_id: '',
      trigger: run.trigger,
      period_from: run.period.from,
      period_to: run.period.to,
      tell: run.tell,
      user_name: run.person.userName,
      created_at: deps.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const jobID = await startJob(
    { ...deps.jobs, db },
    {
      kind: reportKind,
      title: kept('生成报表「{name}」', { name: report.name }),
      input: { runID: id },
      user: { ...run.person, role: 0, sid: '', language: report.plan.language },
    },
  )
  await db.updateTable('report_run').set({ job_id: jobID }).where('id', '=', id).execute()
  return { runID: id, jobID }
}

export async function runReport(
  deps: ReportsDeps,
  { id, timeStart, timeEnd, tell }: BodyOutput<typeof endpoint>,
  user: SignedInUser,
) {
  const now = deps.clock.now()
  const started = await deps.db.transaction().execute(async (db) => {
    const report = await findReport(db, id, true)
    const { rows } = await sql<{ open: number }>`
      select count(*)::int as open from report_run join job using (job_id)
      where report_id = ${id} and report_run.finished_at = 0 and job.status in (${JobStatus.waiting}, ${JobStatus.running})`.execute(
      db,
    )
    if ((rows[0]?.open ?? 0) >= mostOpen)
      throw new AppError(errors.ongoing, { msg: phrase('这份报表正在生成，请稍候') })
    const last = lastPeriod(report.plan, now)
    const period = checkPeriod({ from: timeStart ?? last.from, to: timeEnd ?? last.to }, now)
    const { userID, userName } = user
    return startRun(deps, db, report, { trigger: ReportTrigger.hand, period, tell, person: { userID, userName } })
  })
  deps.jobs.bell.ring()
  return started
}
