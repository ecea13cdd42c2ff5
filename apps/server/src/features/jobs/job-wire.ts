import { type Job, JobStatus } from '@ithings/contract/features/jobs.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import type { Selectable } from 'kysely'
import type { JobTable } from '#db/tables/jobs.ts'

export type JobRow = Selectable<JobTable>

function percent(row: JobRow): number {
  if (row.status === JobStatus.done) return 100
  return row.total > 0 ? Math.min(99, Math.floor((row.done / row.total) * 100)) : 0
}

export const toJob = (row: JobRow, fileUri = ''): Job => ({
  jobID: row.job_id,
  kind: row.kind,
  title: row.title,
  status: row.status,
  progress: percent(row),
  total: row.total,
  done: row.done,
  error: row.error,
  createdTime: toSecondsStr(row.created_at),
  finishedTime: toSecondsStr(row.finished_at),
  userName: row.user_name,
  attempts: row.attempts,
  fileName: row.file_name,
  fileUri,
  result: row.result,
})
