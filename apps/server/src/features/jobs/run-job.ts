/** One try of one job: from the row to the kind's function and back to the row. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { type Selectable, sql } from 'kysely'
import type { JobTable } from '#db/tables/jobs.ts'
import { oneTimeFolder } from '#features/files/door.ts'
import type { JobDelivery } from '#ports/job-queue.ts'
import { defaultTries, type JobContext, type JobKind } from './job-kinds.ts'
import type { JobsKit } from './jobs-kit.ts'

type JobRow = Selectable<JobTable>

const maxResultFile = 200 * 1024 * 1024

/** Why a try ends before its work does. */
class JobCancelled extends Error {}
/** This server stops, or another one has taken over: nothing of this try counts. */
class JobGivenUp extends Error {}

const overdue = () => new AppError(errors.timeout, { msg: '超过了任务的时限' })

/**
 * Running, unless it is over already or somebody else is at it: the queue may hold a job twice.
 * A number of tries can be held by one worker only, which makes it the token of who is at work.
 */
const claim = ({ db }: JobsKit, { jobID, again }: JobDelivery): Promise<JobRow | undefined> =>
  db
    .updateTable('job')
    .set({ status: JobStatus.running, attempts: sql`attempts + 1`, error: '' })
    .where('job_id', '=', jobID)
    .where('status', 'in', again ? [JobStatus.waiting, JobStatus.running] : [JobStatus.waiting])
    .returningAll()
    .executeTakeFirst()

/** Changes the row as long as this try is the one at work. */
const own = ({ db }: JobsKit, row: JobRow) =>
  db
    .updateTable('job')
    .where('job_id', '=', row.job_id)
    .where('status', '=', JobStatus.running)
    .where('attempts', '=', row.attempts)

async function finish(kit: JobsKit, row: JobRow, status: JobStatus, error: string, result?: string): Promise<void> {
  await own(kit, row)
    .set({
      status,
      error,
      finished_at: new Date(kit.clock.now()),
      ...(result === undefined ? {} : { result }),
      ...(status === JobStatus.done ? { done: sql`total` } : {}),
    })
    .execute()
}

function makeContext(kit: JobsKit, row: JobRow, stop: AbortController): JobContext<object> {
  return {
    jobID: row.job_id,
    input: row.input,
    userID: row.user_id,
    userName: row.user_name,
    signal: stop.signal,
    async progress(done, total) {
      stop.signal.throwIfAborted()
      const state = await own(kit, row)
        .set({ done, total })
        .returning(['cancel_requested', 'deadline_at'])
        .executeTakeFirst()
      if (!state) stop.abort(new JobGivenUp('another server is at it'))
      else if (state.cancel_requested) stop.abort(new JobCancelled('已取消'))
      else if (state.deadline_at.getTime() < kit.clock.now()) stop.abort(overdue())
      stop.signal.throwIfAborted()
    },
    async keepFile(name, content, options) {
      const path = `${options?.once ? oneTimeFolder : 'job/'}${row.job_id}/${name}`
      await kit.files.write(path, content, maxResultFile)
      await own(kit, row).set({ file_path: path, file_name: name }).execute()
    },
  }
}

/** What people read: the sentence of a refusal, not the text of an unknown fault. */
const explain = (error: unknown): string =>
  error instanceof AppError ? error.message : `内部错误：${error instanceof Error ? error.message : String(error)}`

/** Rejects when the signal fires, so that work that does not listen cannot hold its place. */
const whenStopped = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

async function settle(kit: JobsKit, kind: JobKind, row: JobRow, cause: unknown): Promise<void> {
  if (cause instanceof JobCancelled) return finish(kit, row, JobStatus.cancelled, '已取消')
  if (cause instanceof JobGivenUp) {
    await own(kit, row).set({ status: JobStatus.waiting, attempts: sql`attempts - 1` }).execute()
    throw cause
  }
  // A refusal will be the same the next time; other faults may pass.
  if (cause instanceof AppError || row.attempts >= (kind.tries ?? defaultTries)) {
    kit.log.error({ err: cause, jobID: row.job_id, kind: row.kind }, 'job failed')
    return finish(kit, row, JobStatus.failed, explain(cause))
  }
  await own(kit, row)
    .set({ status: JobStatus.waiting, error: explain(cause) })
    .execute()
  throw cause
}

async function work(kit: JobsKit, kind: JobKind, row: JobRow, delivery: JobDelivery): Promise<void> {
  const stop = new AbortController()
  const giveUp = () => stop.abort(new JobGivenUp('this server stops'))
  delivery.signal.addEventListener('abort', giveUp, { once: true })
  if (delivery.signal.aborted) giveUp()
  const timer = setTimeout(() => stop.abort(overdue()), row.deadline_at.getTime() - kit.clock.now())
  try {
    stop.signal.throwIfAborted()
    const result = await Promise.race([kind.run(makeContext(kit, row, stop)), whenStopped(stop.signal)])
    await finish(kit, row, JobStatus.done, '', result ? JSON.stringify(result) : '')
  } catch (error) {
    await settle(kit, kind, row, stop.signal.aborted ? stop.signal.reason : error)
  } finally {
    clearTimeout(timer)
    delivery.signal.removeEventListener('abort', giveUp)
  }
}

export async function runJob(kit: JobsKit, delivery: JobDelivery): Promise<void> {
  const row = await claim(kit, delivery)
  if (!row) return
  const kind = kit.kinds.get(row.kind)
  if (row.cancel_requested) return finish(kit, row, JobStatus.cancelled, '已取消')
  if (!kind) return finish(kit, row, JobStatus.failed, `此版本不认识任务种类 ${row.kind}`)
  if (row.deadline_at.getTime() < kit.clock.now()) return finish(kit, row, JobStatus.failed, overdue().message)
  // The try before was cut off: a job that takes the server down with it must not do so for ever.
  if (row.attempts > (kind.tries ?? defaultTries)) {
    return finish(kit, row, JobStatus.failed, `任务被中断了 ${row.attempts - 1} 次，没有完成`)
  }
  await work(kit, kind, row, delivery)
}
