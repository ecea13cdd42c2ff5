import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cancelJob, JobStatus, listJobs, readJob, retryJob } from '@ithings/contract/features/jobs.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
let filesDir: string
let operator: { userID: number; token: string }
beforeAll(async () => {
  filesDir = await mkdtemp(join(tmpdir(), 'ithings-jobs-'))
  world = await openWorld({ config: { filesDir } })
  operator = await makeSignedIn(world)
})
afterAll(async () => {
  await world.close()
  await rm(filesDir, { recursive: true, force: true })
})

const asAdmin = () => ({ token: world.admin })

/** A job as it lies in the table; no server begins it. */
async function addJob(fields: { status?: JobStatus; kind?: string; title?: string; file?: string } = {}) {
  const jobID = crypto.randomUUID()
  const status = fields.status ?? JobStatus.waiting
  const over = status !== JobStatus.waiting && status !== JobStatus.running
  await world.db
    .insertInto('job')
    .values({
      job_id: jobID,
      kind: fields.kind ?? 'test',
      title: fields.title ?? '试验',
      status,
      total: 8,
      done: 3,
      input: '{"secret":"x"}',
      result: over ? '{"rows":3}' : '',
      user_id: operator.userID,
      user_name: 'operator',
      ...(fields.file ? { file_path: `job/${jobID}/${fields.file}`, file_name: fields.file } : {}),
      deadline_at: new Date(world.clock.now() + 60_000),
      finished_at: over ? new Date(world.clock.now()) : null,
      next_at: new Date('2999-01-01'),
    })
    .execute()
  return jobID
}

test('a job is read with exactly the fields of the contract, its file as a link', async () => {
  const jobID = await addJob({ status: JobStatus.done, file: '设备.csv' })
  const { data } = await world.call(readJob, { jobID }, { token: operator.token })
  expect(data).toEqual({
    jobID,
    kind: 'test',
    title: '试验',
    status: 3,
    progress: 100,
    total: 8,
    done: 3,
    error: '',
    createdTime: expect.stringMatching(/^\d{10}$/),
    finishedTime: expect.stringMatching(/^\d{10}$/),
    userName: 'operator',
    attempts: 0,
    fileName: '设备.csv',
    fileUri: expect.stringMatching(/^\/api\/v1\/oss\/job\/.+&sign=.+&name=/),
    result: '{"rows":3}',
  })
  const response = await world.app.http.inject({ method: 'GET', url: data.fileUri })
  expect(response.json()).toMatchObject({ code: 100009 })
})

test('a running job shows its percentage and no time of its end', async () => {
  const jobID = await addJob({ status: JobStatus.running })
  expect(await world.asAdmin(readJob, { jobID })).toMatchObject({ progress: 37, finishedTime: '0', fileUri: '' })
})

test('others can neither read nor cancel a job, the administrator can', async () => {
  const jobID = await addJob()
  const other = await makeSignedIn(world)
  for (const endpoint of [readJob, cancelJob]) {
    expect(await world.call(endpoint, { jobID }, { token: other.token })).toMatchObject({ status: 400, code: 100009 })
    expect(await world.call(endpoint, { jobID })).toMatchObject({ status: 401 })
  }
  expect(await world.call(readJob, { jobID }, asAdmin())).toMatchObject({ code: 200 })
  expect(await world.call(cancelJob, { jobID }, asAdmin())).toMatchObject({ code: 200 })
  expect(await world.asAdmin(readJob, { jobID })).toMatchObject({ status: JobStatus.cancelled, error: '已取消' })
})

test('the starter cancels his own; what is over cannot be cancelled', async () => {
  const jobID = await addJob()
  expect((await world.call(cancelJob, { jobID }, { token: operator.token })).body).toEqual({
    code: 200,
    msg: 'success',
  })
  expect(await world.call(cancelJob, { jobID }, { token: operator.token })).toMatchObject({
    code: 100006,
    msg: '参数错误:任务已经结束，不能取消',
  })
})

test('only failed or cancelled jobs are retried, by roles that may', async () => {
  for (const status of [JobStatus.waiting, JobStatus.running, JobStatus.done]) {
    expect(await world.call(retryJob, { jobID: await addJob({ status }) }, asAdmin())).toMatchObject({
      code: 100006,
      msg: '参数错误:只有失败或已取消的任务可以重试',
    })
  }
  const jobID = await addJob({ status: JobStatus.failed })
  const nobody = await makeSignedIn(world, { role: await makeRole(world) })
  expect(await world.call(retryJob, { jobID }, { token: nobody.token })).toMatchObject({ status: 403, code: 100012 })
  expect(await world.call(retryJob, { jobID }, asAdmin())).toMatchObject({ code: 200 })
})

test('the list filters by kind, status and title, newest first, and never carries links or inputs', async () => {
  const kind = uniqueText('kind')
  const first = await addJob({ kind, title: '导出 100% 设备', file: 'a.csv', status: JobStatus.done })
  const second = await addJob({ kind, title: '导入设备', status: JobStatus.failed })
  const ids = async (filter: object) =>
    (await world.call(listJobs, { kind, ...filter }, asAdmin())).data.list.map((row) => row.jobID)
  expect(await ids({})).toEqual([second, first])
  expect(await ids({ status: JobStatus.failed })).toEqual([second])
  expect(await ids({ status: 0, title: '100%' })).toEqual([first])
  expect(await ids({ title: '_' })).toEqual([])
  expect(await ids({ page: { orders: [{ field: 'status', sort: 1 }] } })).toEqual([first, second])
  const { data } = await world.call(listJobs, { kind, page: { page: 2, size: 1 } }, asAdmin())
  expect(data).toMatchObject({ total: 2, list: [{ jobID: first, fileName: 'a.csv', fileUri: '' }] })
  expect(JSON.stringify(data)).not.toContain('secret')
  expect(await world.call(listJobs, { page: { orders: [{ field: 'input' }] } }, asAdmin())).toMatchObject({
    code: 100006,
  })
})

test('the list needs a token and the right of the role', async () => {
  expect(await world.call(listJobs, {})).toMatchObject({ status: 401 })
  const nobody = await makeSignedIn(world, { role: await makeRole(world) })
  expect(await world.call(listJobs, {}, { token: nobody.token })).toMatchObject({ status: 403, code: 100012 })
})
