import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { type JobKindName, JobStatus } from '@ithings/contract/features/jobs.ts'
import { fill, sayKept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Clock } from '#ports/clock.ts'
import { eventually } from '#testing/eventually.ts'
import { said } from '#testing/said.ts'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { makeTestClock } from '#testing/world.ts'
import { dropOldJobs } from './housekeeping.ts'
import type { JobKind } from './job-kinds.ts'
import { cancelJob, readJob, retryJob } from './manage-jobs.ts'
import { startJob } from './start-job.ts'
import { type JobsServer, openJobsServer } from './testing/jobs-server.ts'

const clock = makeTestClock()
const user = { userID: 7, userName: 'operator', role: 3, sid: 's', language: 'zh' as const }

let database: ScratchDatabase
let servers: JobsServer[] = []
beforeAll(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})
afterAll(() => database.drop())

const open = (...kinds: JobKind[]): Promise<JobsServer> => openWith(clock, kinds)
async function openWith(ownClock: Clock, kinds: JobKind[]): Promise<JobsServer> {
  const server = await openJobsServer(database.url, kinds, ownClock)
  servers.push(server)
  return server
}
async function close(server: JobsServer): Promise<void> {
  servers = servers.filter((one) => one !== server)
  await server.close()
}

let made = 0
const kind = (run: JobKind['run'], more: Partial<JobKind> = {}): JobKind => ({ kind: `test-${++made}`, run, ...more })
const start = ({ deps }: JobsServer, { kind: name }: JobKind, input: object = {}) =>
  startJob(deps, { kind: name as JobKindName, title: '试验', input, user })
const job = async ({ deps }: JobsServer, jobID: string) => said(await readJob(deps, { jobID }, user))
const until = async (server: JobsServer, jobID: string, status: JobStatus) =>
  eventually(async () => {
    const found = await job(server, jobID)
    expect(found.status).toBe(status)
    return found
  })
/** A promise and the way to fulfil it. */
const gate = () => Promise.withResolvers<void>()

describe('a job that works', () => {
  test('shows its progress, keeps its result and its file with a link', async () => {
    const { promise: held, resolve: go } = gate()
    const count = kind(async ({ input, userName, progress, keepFile }) => {
      await progress(1, 4)
      await held
      await keepFile('结果.csv', Readable.from(['a,b\n']))
      return { input, userName }
    })
    const server = await open(count)
    const jobID = await start(server, count, { rows: 4 })
    expect(await job(server, jobID)).toMatchObject({
      kind: count.kind,
      title: '试验',
      userName: 'operator',
      error: '',
      finishedTime: '0',
      fileUri: '',
    })
    await eventually(async () => expect(await job(server, jobID)).toMatchObject({ progress: 25, done: 1, total: 4 }))
    expect(await job(server, jobID)).toMatchObject({ status: JobStatus.running, attempts: 1 })
    go()
    const path = `job/${jobID}/结果.csv`
    expect(await until(server, jobID, JobStatus.done)).toMatchObject({
      progress: 100,
      done: 4,
      fileName: '结果.csv',
      fileUri: `link:${path}:结果.csv`,
      result: '{"input":{"rows":4},"userName":"operator"}',
      finishedTime: expect.stringMatching(/^\d{10}$/),
    })
    expect(await text(server.deps.files.read(path))).toBe('a,b\n')
  })

  test('is done once, however many servers look for it at the same time', async () => {
    const runs: string[] = []
    const once = kind(async ({ jobID }) => void runs.push(jobID) as undefined)
    const all = [await open(once), await open(once), await open(once)]
    const [first] = all as [JobsServer]
    const jobs: string[] = []
    for (let i = 0; i < 10; i++) jobs.push(await insertWaiting(first, once.kind))
    for (const { deps } of all) deps.bell.ring()
    for (const jobID of jobs) await until(first, jobID, JobStatus.done)
    expect(runs.sort()).toEqual(jobs.sort())
  })

  test('is found without a word of it: the row is all there is', async () => {
    const lost = kind(async () => undefined)
    const server = await open(lost)
    await until(server, await insertWaiting(server, lost.kind), JobStatus.done)
  })

  test('keeps its claim while it works; when another server took it over, it ends without a trace', async () => {
    const { promise: held, resolve: go } = gate()
    let told: unknown
    const name = `test-${++made}`
    const first = await open({
      kind: name,
      run: async ({ signal }) => {
        signal.addEventListener('abort', () => {
          told = signal.reason
        })
        await held
        return { by: 'first' }
      },
    })
    const { background } = first.deps
    first.deps.background = {
      ...background,
      every: (work) => background.every({ ...work, everyMs: 20, firstMs: 20 }),
    }
    const jobID = await insertWaiting(first, name)
    await until(first, jobID, JobStatus.running)
    const leasedTo = await nextAt(first, jobID)
    await eventually(async () => expect(await nextAt(first, jobID)).toBeGreaterThan(leasedTo))
    // As if it had been silent for too long.
    await first.deps.db.updateTable('job').set({ attempts: 2 }).where('job_id', '=', jobID).execute()
    await eventually(() => expect(told).toMatchObject({ message: 'another server is at it' }))
    go()
    await first.stop()
    expect(await job(first, jobID)).toMatchObject({ status: JobStatus.running, attempts: 2, result: '' })
    await first.deps.db.deleteFrom('job').where('job_id', '=', jobID).execute()
  })
})

describe('a job that fails', () => {
  test('with a refusal ends at once and says why', async () => {
    const refuse = kind(async () => {
      throw new AppError(errors.parameter, { detail: '第 3 行没有名称' })
    })
    const server = await open(refuse)
    const failed = await until(server, await start(server, refuse), JobStatus.failed)
    expect(failed).toMatchObject({ error: '参数错误:第 3 行没有名称', attempts: 1 })
  })

  test('by a fault that passes is tried again', async () => {
    let runs = 0
    const shaky = kind(async () => {
      if (++runs === 1) throw new Error('connection reset')
      return { runs }
    })
    const server = await open(shaky)
    expect(await until(server, await start(server, shaky), JobStatus.done)).toMatchObject({
      attempts: 2,
      error: '',
      result: '{"runs":2}',
    })
  })

  test('every time ends after its tries, and starts anew when somebody retries it', async () => {
    let broken = true
    const stubborn = kind(
      async () => {
        if (broken) throw new Error('boom')
        return undefined
      },
      { tries: 2 },
    )
    const server = await open(stubborn)
    const jobID = await start(server, stubborn)
    expect(await until(server, jobID, JobStatus.failed)).toMatchObject({ attempts: 2, error: '内部错误：boom' })
    broken = false
    await retryJob(server.deps, { jobID }, user)
    expect(await until(server, jobID, JobStatus.done)).toMatchObject({ attempts: 1, error: '' })
    await expect(retryJob(server.deps, { jobID }, user)).rejects.toMatchObject({ code: 100006 })
  })

  test('is told to its kind, once and with the reason; a kind that cannot take it does not keep it from its end', async () => {
    const told: [object, string][] = []
    const failing = kind(
      async () => {
        throw new Error('boom')
      },
      {
        tries: 2,
        failed: async (input, error) => {
          told.push([input, sayKept(error, fill)])
          throw new Error('no way to tell')
        },
      },
    )
    const server = await open(failing)
    await until(server, await start(server, failing), JobStatus.failed)
    expect(told).toEqual([[{}, '内部错误：boom']])
  })

  test('of an unknown kind says so', async () => {
    const server = await open()
    const jobID = await insertWaiting(server, 'of-another-version')
    expect(await until(server, jobID, JobStatus.failed)).toMatchObject({
      error: '此版本不认识任务种类 of-another-version',
    })
  })
})

describe('the deadline', () => {
  test('ends work that shows progress', async () => {
    const slow = kind(async ({ progress }) => {
      for (let done = 0; ; done++) {
        clock.advance(3_600_000)
        await progress(done, 100)
      }
    })
    const server = await open(slow)
    const failed = await until(server, await start(server, slow), JobStatus.failed)
    expect(failed).toMatchObject({ error: '超过了任务的时限', attempts: 1 })
  })

  test('ends work that hangs, and its place is free again', async () => {
    const hanging = kind(() => new Promise(() => {}), { deadlineSeconds: 2 })
    const next = kind(async () => undefined)
    const server = await open(hanging, next)
    const stuck = [await start(server, hanging), await start(server, hanging)]
    for (const jobID of stuck)
      expect(await until(server, jobID, JobStatus.failed)).toMatchObject({ error: '超过了任务的时限' })
    await until(server, await start(server, next), JobStatus.done)
  })
})

describe('cancelling', () => {
  test('ends a running job at its next progress', async () => {
    let stopped = false
    const endless = kind(async ({ progress, signal }) => {
      signal.addEventListener('abort', () => {
        stopped = true
      })
      for (let done = 0; ; done++) {
        await progress(done % 9, 10)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    const server = await open(endless)
    const jobID = await start(server, endless)
    await until(server, jobID, JobStatus.running)
    await cancelJob(server.deps, { jobID }, user)
    expect(await until(server, jobID, JobStatus.cancelled)).toMatchObject({ error: '已取消' })
    expect(stopped).toBe(true)
    await expect(cancelJob(server.deps, { jobID }, user)).rejects.toMatchObject({ code: 100006 })
  })

  test('a waiting job never begins, and may be retried', async () => {
    const { promise: held, resolve: go } = gate()
    let runs = 0
    const busy = kind(() => held.then(() => undefined))
    const later = kind(async () => ({ runs: ++runs }))
    const server = await open(busy, later)
    const blockers = [await start(server, busy), await start(server, busy)]
    for (const blocker of blockers) await until(server, blocker, JobStatus.running)
    const jobID = await start(server, later)
    await cancelJob(server.deps, { jobID }, user)
    expect(await job(server, jobID)).toMatchObject({ status: JobStatus.cancelled, attempts: 0 })
    go()
    for (const blocker of blockers) await until(server, blocker, JobStatus.done)
    await retryJob(server.deps, { jobID }, user)
    expect(await until(server, jobID, JobStatus.done)).toMatchObject({ result: '{"runs":1}' })
  })
})

describe('several servers', () => {
  test('a job of a server that stops is finished by the next one and loses no try', async () => {
    const name = `test-${++made}`
    let told = false
    const first = await open({
      kind: name,
      tries: 1,
      run: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            told = true
            reject(new Error('stopped'))
          })
        }),
    })
    const jobID = await start(first, { kind: name, run: async () => undefined })
    await until(first, jobID, JobStatus.running)
    await close(first)
    expect(told).toBe(true)
    const second = await open({ kind: name, tries: 1, run: async () => ({ by: 'second' }) })
    expect(await until(second, jobID, JobStatus.done)).toMatchObject({ attempts: 1, result: '{"by":"second"}' })
  })

  test('a job of a server that was killed is finished by another', async () => {
    const name = `test-${++made}`
    const script = fileURLToPath(new URL('./testing/hold-job.ts', import.meta.url))
    const watcher = await open()
    await watcher.stop()
    const jobID = await insertWaiting(watcher, name)
    const child = spawn(process.execPath, [script, database.url, name], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = await once(child.stdout, 'data')
    expect(String(said)).toBe('running\n')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await job(watcher, jobID)).toMatchObject({ status: JobStatus.running, done: 1, total: 3 })
    // Its time runs by the database, which nobody waits for here.
    await watcher.deps.db.updateTable('job').set({ next_at: sql`now()` }).where('job_id', '=', jobID).execute()
    const survivor = await open({ kind: name, run: async () => ({ by: 'survivor' }) })
    expect(await until(survivor, jobID, JobStatus.done)).toMatchObject({
      attempts: 2,
      result: '{"by":"survivor"}',
    })
  })

  test.each([
    ['ahead', 0, 20_000],
    ['behind', -20_000, 0],
  ])('one whose clock is %s takes and loses no running job', async (_, holderShift, otherShift) => {
    const { promise: held, resolve: go } = gate()
    const name = `test-${++made}`
    const byOther: string[] = []
    const shifted = (ms: number): Clock => ({ now: () => clock.now() + ms })
    const holds: JobKind = { kind: name, run: () => held.then(() => undefined) }
    const takes: JobKind = {
      kind: name,
      async run({ jobID }) {
        byOther.push(jobID)
        return undefined
      },
    }
    const holder = await openWith(shifted(holderShift), [holds])
    const jobs = [await start(holder, holds), await start(holder, holds)]
    for (const jobID of jobs) await until(holder, jobID, JobStatus.running)
    const other = await openWith(shifted(otherShift), [takes])
    // The places of the first are taken, so that the second has looked for work when this one is done.
    const third = await start(other, takes)
    await until(other, third, JobStatus.done)
    expect(byOther).toEqual([third])
    go()
    for (const jobID of jobs) expect(await until(holder, jobID, JobStatus.done)).toMatchObject({ attempts: 1 })
  })

  test('work is shared: two servers run more than one alone can', async () => {
    const { promise: held, resolve: go } = gate()
    const name = `test-${++made}`
    const ran = { first: 0, second: 0 }
    const on = (server: keyof typeof ran): JobKind => ({
      kind: name,
      run: async () => {
        ran[server]++
        await held
        return undefined
      },
    })
    const first = await open(on('first'))
    await open(on('second'))
    const jobs = []
    for (let i = 0; i < 4; i++) jobs.push(await start(first, on('first')))
    await eventually(() => expect(ran.first + ran.second).toBe(4))
    expect(ran).toEqual({ first: 2, second: 2 })
    go()
    for (const jobID of jobs) await until(first, jobID, JobStatus.done)
  })
})

test('finished jobs go after 30 days with their files, waiting ones stay', async () => {
  const filed = kind(async ({ keepFile }) => {
    await keepFile('a.csv', Readable.from(['a']))
    return undefined
  })
  const server = await open(filed)
  const jobID = await start(server, filed)
  await until(server, jobID, JobStatus.done)
  await server.stop()
  const waiting = await insertWaiting(server, filed.kind)
  clock.advance(29 * 86_400_000)
  await dropOldJobs(server.deps)
  expect(await server.deps.files.stat(`job/${jobID}/a.csv`)).toBeDefined()
  clock.advance(2 * 86_400_000)
  expect(await dropOldJobs(server.deps)).toBeGreaterThan(0)
  expect(await server.deps.files.stat(`job/${jobID}/a.csv`)).toBeUndefined()
  await expect(job(server, jobID)).rejects.toMatchObject({ code: 100009 })
  expect(await job(server, waiting)).toMatchObject({ status: JobStatus.waiting })
  await server.deps.db.deleteFrom('job').where('job_id', '=', waiting).execute()
})

const nextAt = async ({ deps }: JobsServer, jobID: string) =>
  (
    await deps.db.selectFrom('job').select('next_at').where('job_id', '=', jobID).executeTakeFirstOrThrow()
  ).next_at.getTime()

/** A job that is stored; nobody is told. */
async function insertWaiting({ deps }: JobsServer, name: string): Promise<string> {
  const jobID = crypto.randomUUID()
  await deps.db
    .insertInto('job')
    .values({
      job_id: jobID,
      kind: name,
      title: '试验',
      input: '{}',
      user_id: user.userID,
      deadline_at: new Date(clock.now() + 3_600_000),
      finished_at: null,
    })
    .execute()
  return jobID
}
