/** The history of a report: its runs, their files, and who was told. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import type { listReportRuns as endpoint, ReportRun, runSortFields } from '@ithings/contract/features/reports.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { onceKeyOf } from './deliver.ts'
import type { ReportsDeps } from './reports-deps.ts'
import { findReport } from './store.ts'

const columns = {
  createdTime: 'report_run.created_at',
  from: 'report_run.period_from',
} as const satisfies Record<(typeof runSortFields)[number], string>
/** To look at a file now. */
const linkSeconds = 1_440

/** Until it is finished its job knows; a job that was cleared away unfinished will never be. */
export const runState = sql<number>`case when report_run.finished_at > 0 then ${sql.lit(JobStatus.done)}
  else coalesce(nullif(job.status, ${sql.lit(JobStatus.done)}), ${sql.lit(JobStatus.failed)}) end`

/** What became of what was sent, by the key of each sending. */
async function readDeliveries(db: Db, keys: string[]) {
  const rows =
    keys.length === 0
      ? []
      : await db
          .selectFrom('notify_delivery')
          .select(['once_key', 'state', 'error'])
          .where('once_key', 'in', keys)
          .execute()
  return new Map(rows.map((row) => [row.once_key, row]))
}

const keyOf = ({ id, state }: { id: number; state: number }, channelID: number): string =>
  onceKeyOf(id, channelID, state === JobStatus.failed)

export async function listReportRuns(deps: ReportsDeps, { id, state, page }: BodyOutput<typeof endpoint>) {
  const { db, signLink } = deps
  await findReport(db, id)
  const filtered = db
    .selectFrom('report_run')
    .leftJoin('job', 'job.job_id', 'report_run.job_id')
    .where('report_run.report_id', '=', id)
    .$if(state !== undefined, (query) => query.where(sql<boolean>`${runState} = ${state}`))
  const found = await fetchPage(
    filtered,
    (query) => query.selectAll('report_run').select([runState.as('state'), 'job.error as jobError']),
    page,
    { columns, fallback: { column: 'report_run.id', desc: true } },
  )
  const deliveries = await readDeliveries(
    db,
    found.list.flatMap((row) => row.told.map(({ channelID }) => keyOf(row, channelID))),
  )
  const list = found.list.map(
    (row): ReportRun => ({
      id: row.id,
      reportID: row.report_id,
      trigger: row.trigger,
      from: row.period_from,
      to: row.period_to,
      state: row.state,
      error: row.error || row.jobError || (row.state === JobStatus.failed ? kept('任务已被清理，没有完成') : ''),
      jobID: row.job_id,
      fileName: row.file_name,
      fileUri: row.file_path === '' ? '' : signLink(row.file_path, row.file_name, linkSeconds),
      fileSize: row.file_size,
      userName: row.user_name,
      createdTime: row.created_at,
      finishedTime: row.finished_at,
      told: row.told.map((one) => {
        const delivery = deliveries.get(keyOf(row, one.channelID))
        return { ...one, state: delivery?.state ?? 0, error: delivery?.error ?? '' }
      }),
      problems: row.problems,
    }),
  )
  return { list, total: found.total }
}
