/** What people do with jobs: look, cancel, try again. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import { JobStatus, type jobSortFields, type listJobs as listEndpoint } from '@ithings/contract/features/jobs.ts'
import { BuiltInRole } from '@ithings/contract/features/users.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { fetchPage } from '#db/page.ts'
import { saidCondition } from '#db/said-texts.ts'
import type { Db } from '#db/schema.ts'
import { isOneTime } from '#features/files/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { defaultDeadlineSeconds } from './job-kinds.ts'
import { type JobRow, toJob } from './job-wire.ts'
import type { JobsDeps } from './jobs-deps.ts'

/** Jobs of others are the administrator's business only. */
async function findOwnJob(db: Db, jobID: string, user: SignedInUser): Promise<JobRow> {
  const row = await db.selectFrom('job').selectAll().where('job_id', '=', jobID).executeTakeFirst()
  const mine = row?.user_id === user.userID || user.role === BuiltInRole.admin
  // A key of one product or group sees what it began itself, not what its owner did.
  const within = !user.key?.narrow || (row?.input as { keyID?: number } | undefined)?.keyID === user.key.id
  if (!row || !mine || !within) throw refusal(errors.notFound, '任务 {jobID} 不存在', { jobID })
  return row
}

export async function readJob(deps: JobsDeps, input: { jobID: string }, user: SignedInUser) {
  const row = await findOwnJob(deps.db, input.jobID, user)
  // A one-time file that was fetched has no link any more.
  const there =
    row.file_path !== '' && (!isOneTime(row.file_path) || (await deps.files.stat(row.file_path)) !== undefined)
  return toJob(row, there ? await deps.signLink(row.file_path, row.file_name) : '')
}

export async function cancelJob(deps: JobsDeps, input: { jobID: string }, user: SignedInUser): Promise<void> {
  const row = await findOwnJob(deps.db, input.jobID, user)
  if (row.status !== JobStatus.waiting && row.status !== JobStatus.running) {
    throw refusal(errors.parameter, '任务已经结束，不能取消')
  }
  await deps.db.updateTable('job').set({ cancel_requested: true }).where('job_id', '=', row.job_id).execute()
  // One that nobody has begun ends here; a running one notices at its next progress.
  await deps.db
    .updateTable('job')
    .set({ status: JobStatus.cancelled, error: kept('已取消'), finished_at: new Date(deps.clock.now()) })
    .where('job_id', '=', row.job_id)
    .where('status', '=', JobStatus.waiting)
    .execute()
}

export async function retryJob(deps: JobsDeps, input: { jobID: string }, user: SignedInUser): Promise<void> {
  const row = await findOwnJob(deps.db, input.jobID, user)
  const kind = deps.kinds.get(row.kind)
  if (row.status !== JobStatus.failed && row.status !== JobStatus.cancelled) {
    throw refusal(errors.parameter, '只有失败或已取消的任务可以重试')
  }
  const deadlineSeconds = kind?.deadlineSeconds ?? defaultDeadlineSeconds
  await deps.db
    .updateTable('job')
    .set({
      status: JobStatus.waiting,
      error: '',
      done: 0,
      attempts: 0,
      cancel_requested: false,
      finished_at: null,
      next_at: sql`now()`,
      deadline_at: new Date(deps.clock.now() + deadlineSeconds * 1000),
    })
    .where('job_id', '=', row.job_id)
    .where('status', '=', row.status)
    .execute()
  deps.bell.ring()
}

const columns = {
  createdTime: 'created_at',
  finishedTime: 'finished_at',
  status: 'status',
  kind: 'kind',
} as const satisfies Record<(typeof jobSortFields)[number], string>

export async function listJobs(db: Db, input: BodyOutput<typeof listEndpoint>) {
  const { kind, status, title } = input
  const rows = sql`job where true`
  const titled = title ? await saidCondition(db, { column: sql`title`, rows, words: title, whole: false }) : undefined
  const filtered = db
    .selectFrom('job')
    .$if(kind !== undefined, (q) => q.where('kind', '=', kind ?? ''))
    .$if(titled !== undefined, (q) => q.where(titled ?? sql<boolean>`true`))
    .$if(status !== undefined, (q) => q.where('status', '=', status ?? 0))
  const page = await fetchPage(filtered, (q) => q.selectAll(), input.page, {
    columns,
    fallback: { column: 'created_at', desc: true },
  })
  return { list: page.list.map((row) => toJob(row)), total: page.total }
}
