/** Histories are bounded, and so is what is known of the coming and going of devices. */
import { dayMs } from '@ithings/contract/durations.ts'
import { reportLimits } from '@ithings/contract/features/reports.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Files } from '#ports/files.ts'
import type { ReportsDeps } from './reports-deps.ts'

export const reportFolder = 'report/'
/** As long as a report may look back, and a month. */
const presenceDays = reportLimits.days + 31
const step = 10_000

/** Runs and their files. */
export async function dropRunFiles(
  { db, files }: { db: Db; files: Files },
  which: RawBuilder<boolean>,
): Promise<number> {
  const gone = await db.deleteFrom('report_run').where(which).returning('file_path').execute()
  for (const { file_path } of gone) if (file_path) await files.remove(file_path)
  return gone.length
}

type Deps = Pick<ReportsDeps, 'db' | 'clock' | 'files'>

/** The newest of each report stay. */
const dropOldRuns = (deps: Deps): Promise<number> =>
  dropRunFiles(
    deps,
    sql<boolean>`id in (
      select id from (
        select id, row_number() over (partition by report_id order by id desc) as place from report_run
      ) ranked where place > ${reportLimits.runs})`,
  )

/** The last change before the bound stays: it tells what a device was then. */
async function dropOldPresence({ db, clock }: Deps): Promise<number> {
  const before = clock.now() - presenceDays * dayMs
  for (let total = 0; ; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from device_presence where ctid in (
        select old.ctid from device_presence old where at < ${before} and exists (
          select from device_presence newer
          where newer.device_id = old.device_id and newer.at > old.at and newer.at < ${before})
        limit ${step})`.execute(db)
    total += Number(numAffectedRows)
    if (numAffectedRows < step) return total
  }
}

export const dropOldReports = async (deps: Deps) => ({
  reportRuns: await dropOldRuns(deps),
  presence: await dropOldPresence(deps),
})
