/** Runs jobs. One try of one job goes from the row to the kind's function and back to the row. */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { kept, languageOf, phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { ClaimLoop } from '#background/claim-loop.ts'
import { oneTimeFolder, requireRoom } from '#features/files/door.ts'
import { defaultTries, type JobContext, type JobKind } from './job-kinds.ts'
import type { JobRow } from './job-wire.ts'
import type { JobsDeps } from './jobs-deps.ts'

/** Of the largest exports; a store that is full says so before. */
const maxResultFile = 64 * 1024 ** 3
/** Jobs of one server that run at the same time. */
const places = 2
/** Those of other servers are found so soon. */
const lookMs = 1_000
/** A server that died with kill -9 leaves its jobs to the others after that long. */
const leaseMs = 15_000
const beatMs = 5_000
/** A fault that passes may need a moment. */
const retryMs = 2_000

/** Why a try ends before its work does. */
class JobCancelled extends Error {}
/** This server stops, or another one has taken over: nothing of this try counts. */
class JobGivenUp extends Error {}

/** By the clock of the database alone: those of two servers never agree, and a lease is short. */
const nextIn = (ms: number) => ({ next_at: sql<Date>`now() + make_interval(secs => ${ms / 1000})` })
const lease = nextIn(leaseMs)

const overdue = () => new AppError(errors.timeout, { msg: phrase('超过了任务的时限') })

/**
 * Changes the row as long as this try is the one at work. A number of tries can be held by one worker only, which makes it
 * the token of who that is.
 */
const own = ({ db }: JobsDeps, row: JobRow) =>
  db
    .updateTable('job')
    .where('job_id', '=', row.job_id)
    .where('status', '=', JobStatus.running)
    .where('attempts', '=', row.attempts)

async function finish(deps: JobsDeps, row: JobRow, status: JobStatus, error: string, result?: string): Promise<void> {
  await own(deps, row)
    .set({
      status,
      error,
      finished_at: new Date(deps.clock.now()),
      ...(result === undefined ? {} : { result }),
      ...(status === JobStatus.done ? { done: sql`total` } : {}),
    })
    .execute()
}

/** A kind that cannot tell of it must not keep the job from its end. */
async function fail(deps: JobsDeps, kind: JobKind, row: JobRow, error: string): Promise<void> {
  try {
    await kind.failed?.(row.input, error)
  } catch (err) {
    deps.log.error({ err, jobID: row.job_id, kind: row.kind }, 'the failure of a job could not be told')
  }
  await finish(deps, row, JobStatus.failed, error)
}

function makeContext(deps: JobsDeps, row: JobRow, stop: AbortController): JobContext<object> {
  return {
    jobID: row.job_id,
    input: row.input,
    userID: row.user_id,
    userName: row.user_name,
    language: languageOf(row.language) ?? 'zh',
    signal: stop.signal,
    async progress(done, total) {
      stop.signal.throwIfAborted()
      const state = await own(deps, row)
        .set({ done, total, ...lease })
        .returning(['cancel_requested', 'deadline_at'])
        .executeTakeFirst()
      if (!state) stop.abort(new JobGivenUp('another server is at it'))
      else if (state.cancel_requested) stop.abort(new JobCancelled())
      else if (state.deadline_at.getTime() < deps.clock.now()) stop.abort(overdue())
      stop.signal.throwIfAborted()
    },
    async keepFile(name, content, options) {
      const path = `${options?.once ? oneTimeFolder : 'job/'}${row.job_id}/${name}`
      await requireRoom(deps, 0)
      await deps.files.write(path, content, maxResultFile)
      await own(deps, row).set({ file_path: path, file_name: name }).execute()
    },
  }
}

/** What people read: the sentence of a refusal, not the text of an unknown fault. */
const explain = (error: unknown): string =>
  error instanceof AppError
    ? error.kept()
    : kept('内部错误：{error}', { error: error instanceof Error ? error.message : String(error) })

/** Rejects when the signal fires, so that work that does not listen cannot hold its place. */
const whenStopped = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

async function settle(deps: JobsDeps, kind: JobKind, row: JobRow, cause: unknown): Promise<void> {
  if (cause instanceof JobCancelled) return finish(deps, row, JobStatus.cancelled, kept('已取消'))
  if (cause instanceof JobGivenUp) {
    await own(deps, row)
      .set({ status: JobStatus.waiting, attempts: sql`attempts - 1`, ...nextIn(0) })
      .execute()
    return
  }
  // A refusal will be the same the next time; other faults may pass.
  if (cause instanceof AppError || row.attempts >= (kind.tries ?? defaultTries)) {
    deps.log.error({ err: cause, jobID: row.job_id, kind: row.kind }, 'job failed')
    return fail(deps, kind, row, explain(cause))
  }
  await own(deps, row)
    .set({ status: JobStatus.waiting, error: explain(cause), ...nextIn(retryMs) })
    .execute()
}

/** Says that this server is still at it, and learns when another one has taken over. */
const keepClaim = (deps: JobsDeps, row: JobRow, stop: AbortController) =>
  deps.background.every({
    name: 'jobs.claim',
    everyMs: beatMs,
    firstMs: beatMs,
    async run() {
      const { numUpdatedRows } = await own(deps, row).set(lease).executeTakeFirst()
      if (numUpdatedRows === 0n) stop.abort(new JobGivenUp('another server is at it'))
    },
  })

async function work(deps: JobsDeps, kind: JobKind, row: JobRow, stopping: AbortSignal): Promise<void> {
  const stop = new AbortController()
  const giveUp = () => stop.abort(new JobGivenUp('this server stops'))
  stopping.addEventListener('abort', giveUp, { once: true })
  if (stopping.aborted) giveUp()
  const claim = keepClaim(deps, row, stop)
  const timer = setTimeout(() => stop.abort(overdue()), row.deadline_at.getTime() - deps.clock.now())
  try {
    stop.signal.throwIfAborted()
    const result = await Promise.race([kind.run(makeContext(deps, row, stop)), whenStopped(stop.signal)])
    await finish(deps, row, JobStatus.done, '', result ? JSON.stringify(result) : '')
  } catch (error) {
    await settle(deps, kind, row, stop.signal.aborted ? stop.signal.reason : error)
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', giveUp)
    await claim.stop()
  }
}

async function runJob(deps: JobsDeps, row: JobRow, stopping: AbortSignal): Promise<void> {
  const kind = deps.kinds.get(row.kind)
  if (row.cancel_requested) return finish(deps, row, JobStatus.cancelled, kept('已取消'))
  if (!kind) return finish(deps, row, JobStatus.failed, kept('此版本不认识任务种类 {kind}', { kind: row.kind }))
  if (row.deadline_at.getTime() < deps.clock.now()) return fail(deps, kind, row, overdue().kept())
  // The try before was cut off: a job that takes the server down with it must not do so for ever.
  if (row.attempts > (kind.tries ?? defaultTries)) {
    return fail(deps, kind, row, kept('任务被中断了 {count} 次，没有完成', { count: row.attempts - 1 }))
  }
  await work(deps, kind, row, stopping)
}

/** Takes what waits, and what a server that is gone had begun. @param here those that this server works on */
async function claimJobs(deps: JobsDeps, room: number, here: string[]): Promise<JobRow[]> {
  return deps.db
    .with('due', (db) =>
      db
        .selectFrom('job')
        .select('job_id')
        .where('status', 'in', [JobStatus.waiting, JobStatus.running])
        .where('next_at', '<=', sql<Date>`now()`)
        .$if(here.length > 0, (q) => q.where('job_id', 'not in', here))
        .orderBy('created_at')
        .limit(room)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('job')
    .set({ status: JobStatus.running, attempts: sql`attempts + 1`, error: '', ...lease })
    .from('due')
    .whereRef('job.job_id', '=', 'due.job_id')
    .returningAll('job')
    .execute()
}

export function makeJobWork(deps: JobsDeps): ClaimLoop {
  const here = new Set<string>()
  const loop = deps.background.claimLoop<JobRow>({
    name: 'jobs',
    everyMs: lookMs,
    places,
    claim: (room) => claimJobs(deps, room, [...here]),
    async work(row, stopping) {
      here.add(row.job_id)
      await runJob(deps, row, stopping).finally(() => here.delete(row.job_id))
    },
  })
  deps.bell.onRing(loop.wake)
  return loop
}
