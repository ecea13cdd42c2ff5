/** One try of one job: from the row to the kind's function and back to the row. */
import { AppError } from '@ithings/contract/errors.ts'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { type Selectable, sql } from 'kysely'
import type { JobTable } from '#db/tables/jobs.ts'
import type { JobDelivery } from '#ports/job-queue.ts'
import type { JobContext, JobKind } from './job-kinds.ts'
import type { JobsKit } from './jobs-kit.ts'

type JobRow = Selectable<JobTable>

const maxResultFile = 200 * 1024 * 1024

export class JobCancelled extends Error {}

/** Running, unless it is over already: the queue may deliver once more than needed. */
async function claim({ db }: JobsKit, jobID: string): Promise<JobRow | undefined> {
  return db
    .updateTable('job')
    .set({ status: JobStatus.running, attempts: sql`attempts + 1`, error: '' })
    .where('job_id', '=', jobID)
    .where('status', 'in', [JobStatus.waiting, JobStatus.running])
    .returningAll()
    .executeTakeFirst()
}

async function finish({ db, clock }: JobsKit, jobID: string, status: JobStatus, error: string, result?: string) {
  await db
    .updateTable('job')
    .set({
      status,
      error,
      finished_at: new Date(clock.now()),
      ...(result === undefined ? {} : { result }),
      ...(status === JobStatus.done ? { done: sql`total` } : {}),
    })
    .where('job_id', '=', jobID)
    .execute()
}

function makeContext(kit: JobsKit, row: JobRow, stop: AbortController): JobContext<object> {
  const { db, clock, files } = kit
  return {
    jobID: row.job_id,
    input: row.input,
    userID: row.user_id,
    userName: row.user_name,
    signal: stop.signal,
    async progress(done, total) {
      stop.signal.throwIfAborted()
      const state = await db
        .updateTable('job')
        .set({ done, total })
        .where('job_id', '=', row.job_id)
        .returning(['cancel_requested', 'deadline_at'])
        .executeTakeFirst()
      if (!state || state.cancel_requested) stop.abort(new JobCancelled('已取消'))
      else if (state.deadline_at.getTime() < clock.now()) stop.abort(new Error('超过了任务的时限'))
      stop.signal.throwIfAborted()
    },
    async keepFile(name, content) {
      const path = `job/${row.job_id}/${name}`
      await files.write(path, content, maxResultFile)
      await db.updateTable('job').set({ file_path: path, file_name: name }).where('job_id', '=', row.job_id).execute()
    },
  }
}

/** What people read: the sentence of a refusal, not the text of an unknown fault. */
const explain = (error: unknown): string =>
  error instanceof AppError || error instanceof JobCancelled ? error.message : `内部错误：${(error as Error).message}`

async function work(kit: JobsKit, kind: JobKind, row: JobRow, delivery: JobDelivery): Promise<void> {
  const stop = new AbortController()
  const giveUp = () => stop.abort(new Error('服务正在停止，任务将由下一次启动继续'))
  delivery.signal.addEventListener('abort', giveUp, { once: true })
  try {
    const result = await kind.run(makeContext(kit, row, stop))
    await finish(kit, row.job_id, JobStatus.done, '', result ? JSON.stringify(result) : '')
  } catch (error) {
    const cause = stop.signal.aborted ? stop.signal.reason : error
    if (cause instanceof JobCancelled) return finish(kit, row.job_id, JobStatus.cancelled, '已取消')
    // A refusal will be the same the next time; other faults may pass.
    if (cause instanceof AppError || delivery.lastTry) {
      kit.log.error({ err: cause, jobID: row.job_id, kind: row.kind }, 'job failed')
      return finish(kit, row.job_id, JobStatus.failed, explain(cause))
    }
    await kit.db
      .updateTable('job')
      .set({ error: explain(cause) })
      .where('job_id', '=', row.job_id)
      .execute()
    throw cause
  } finally {
    delivery.signal.removeEventListener('abort', giveUp)
  }
}

export async function runJob(kit: JobsKit, delivery: JobDelivery): Promise<void> {
  const row = await claim(kit, delivery.jobID)
  if (!row) return
  const kind = kit.kinds.get(row.kind)
  if (row.cancel_requested) return finish(kit, row.job_id, JobStatus.cancelled, '已取消')
  if (!kind) return finish(kit, row.job_id, JobStatus.failed, `此版本不认识任务种类 ${row.kind}`)
  await work(kit, kind, row, delivery)
}
