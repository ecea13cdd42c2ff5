/** The job of a run: gather, write the file, tell the receivers. A repeated try does it again into the same place. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { JobContext, JobKind } from '#features/jobs/door.ts'
import { gather } from './content/gather.ts'
import { deliver, deliverFailure } from './deliver.ts'
import { reportFolder } from './housekeeping.ts'
import type { ReportsDeps } from './reports-deps.ts'
import { reportKind } from './start-run.ts'
import { findReport, type ReportRow, type RunRow } from './store.ts'
import { writeReport } from './writers/write-report.ts'

const maxFile = 200 * 1024 * 1024
const forbidden = /[\\/:*?"<>|\p{Cc}]/gu

/** 泵房日报-20261116.xlsx */
function fileNameOf(report: ReportRow, run: RunRow, timeZone: string, extension: string): string {
  const day = (time: number) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time).replaceAll('-', '')
  const [first, last] = [day(run.period_from), day(run.period_to - 1)]
  const dates = first === last ? first : `${first}-${last}`
  return `${report.name.replace(forbidden, '_')}-${dates}.${extension}`
}

async function findRun({ db }: ReportsDeps, runID: number): Promise<RunRow> {
  const run = await db.selectFrom('report_run').selectAll().where('id', '=', runID).executeTakeFirst()
  if (!run) throw new AppError(errors.notFound, { msg: phrase('报表已被删除') })
  return run
}

async function make(deps: ReportsDeps, { input, progress }: JobContext<{ runID: number }>) {
  const { db, files, clock } = deps
  const run = await findRun(deps, input.runID)
  const report = await findReport(db, run.report_id)
  const data = await gather(deps, report.plan, { from: run.period_from, to: run.period_to }, { progress })
  const { content, extension } = await writeReport(data, report.plan)
  const name = fileNameOf(report, run, data.timeZone, extension)
  const path = `${reportFolder}${run.id}/${name}`
  const { size } = await files.write(path, content, maxFile)
  const { numUpdatedRows } = await db
    .updateTable('report_run')
    .set({ finished_at: clock.now(), error: '', file_path: path, file_name: name, file_size: size })
    .where('id', '=', run.id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) {
    await files.remove(path)
    throw new AppError(errors.notFound, { msg: phrase('报表已被删除') })
  }
  await deliver(deps, report, run, data, { path, name, size })
  return { runID: run.id }
}

/** Jobs are cleared away sooner than histories: the reason stays with the run. */
async function noteFailure(deps: ReportsDeps, runID: number, error: string): Promise<void> {
  const run = await deps.db
    .updateTable('report_run')
    .set({ error })
    .where('id', '=', runID)
    .returningAll()
    .executeTakeFirst()
  // Deleted meanwhile: nobody waits for it.
  if (run) await deliverFailure(deps, await findReport(deps.db, run.report_id), run, error)
}

export const reportJob = (deps: ReportsDeps): JobKind<{ runID: number }> => ({
  kind: reportKind,
  run: (context) => make(deps, context),
  failed: ({ runID }, error) => noteFailure(deps, runID, error),
})
