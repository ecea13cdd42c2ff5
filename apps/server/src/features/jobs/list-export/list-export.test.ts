import { errors } from '@ithings/contract/errors.ts'
import { createOwnKey, revokeOwnKey } from '@ithings/contract/features/api-keys.ts'
import { createDevice, listDevices } from '@ithings/contract/features/devices/info.ts'
import { readHomeSummary, readHomeTrend } from '@ithings/contract/features/home.ts'
import { exportList, JobStatus, maxOpenExports, readJob } from '@ithings/contract/features/jobs.ts'
import { listOperationLogs } from '@ithings/contract/features/logs.ts'
import { createProduct, listProducts, readProduct } from '@ithings/contract/features/products.ts'
import { updateRoleApis } from '@ithings/contract/features/roles.ts'
import { listUsers } from '@ithings/contract/features/users.ts'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'
import { readParquet, readXlsx, xlsxValues } from '#testing/read-table.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
let productID: string
const names = ['a1', 'a2', 'b1', 'b2', 'b3'].map((name) => uniqueText(name))
beforeAll(async () => {
  world = await openWorld()
  productID = (await world.asAdmin(createProduct, { productName: uniqueText('泵') })).productID
  for (const [at, deviceName] of names.entries()) {
    await world.asAdmin(createDevice, { productID, deviceName, deviceAlias: at === 0 ? '=1+1' : `别名${at}` })
  }
})
afterAll(() => world.close())

type Caller = { token?: string; headers?: Record<string, string> }
const asAdmin = (): Caller => ({ token: world.admin })
const byKey = (key: string): Caller => ({ headers: { authorization: `Bearer ${key}` } })
const start = (wish: Parameters<typeof exportList.body.parse>[0], caller = asAdmin()) =>
  world.call(exportList, wish, caller)

async function finished(jobID: string, caller = asAdmin()) {
  const read = async () => (await world.call(readJob, { jobID }, caller)).data
  await eventually(async () => expect((await read()).finishedTime).not.toBe('0'))
  return read()
}

/** As a server does that takes it over: long after it was asked for. */
const runAgain = (jobID: string) =>
  world.db
    .updateTable('job')
    .set({ status: JobStatus.waiting, attempts: 0, finished_at: null, error: '', next_at: new Date(0) })
    .where('job_id', '=', jobID)
    .execute()

async function exported(wish: Parameters<typeof exportList.body.parse>[0], caller = asAdmin()) {
  const { data, msg } = await start(wish, caller)
  expect(msg).toBe('success')
  const job = await finished(data.jobID, caller)
  expect(job.error).toBe('')
  expect(job.status).toBe(JobStatus.done)
  const file = await world.app.http.inject({ method: 'GET', url: job.fileUri })
  expect(file.statusCode).toBe(200)
  return { job, bytes: new Uint8Array(file.rawPayload) }
}

const columns = [
  { key: 'deviceName', head: '设备名称' },
  { key: 'deviceAlias', head: '别名' },
  { key: 'isOnline', head: '状态', labels: { 2: '离线' } },
  { key: 'createdTime', head: '创建时间', type: 'time' as const },
]
const order = { orders: [{ field: 'deviceName', sort: 2 as const }] }

test('a list, filtered and sorted as it is shown, is a sheet with the words that people see', async () => {
  const body = { productID, deviceName: 'b', page: { ...order, page: 3, size: 1 } }
  const { job, bytes } = await exported({ path: listDevices.path, body, columns, format: 'xlsx', title: '设备/列表' })
  expect(job).toMatchObject({ title: '导出「设备/列表」', kind: 'list.export', fileName: '设备 列表.xlsx', total: 3 })
  const [sheet] = readXlsx(bytes)
  const [heads, ...rows] = sheet ? xlsxValues(sheet) : []
  expect(heads).toEqual(['设备名称', '别名', '状态', '创建时间'])
  expect(rows.map(([name, , status]) => [name, status])).toEqual(
    names
      .slice(2)
      .toReversed()
      .map((name) => [name, '离线']),
  )
  expect(rows.every((row) => Number(row[3]) > 45_000)).toBe(true)
})

test('without columns a file has every field of the list, with the types of its contract', async () => {
  const { bytes } = await exported({ path: listDevices.path, body: { productID }, format: 'parquet' })
  const rows = await readParquet(bytes)
  expect(rows.map((row) => row.deviceName).toSorted()).toEqual(names.toSorted())
  expect(rows[0]).toMatchObject({ productID, isOnline: expect.any(BigInt), tags: '' })
})

test('CSV guards what a spreadsheet would run, and heads default to the fields', async () => {
  const { bytes } = await exported({
    path: listDevices.path,
    body: { productID, page: { orders: [{ field: 'deviceName' }] } },
    columns: [{ key: 'deviceAlias' }, { key: 'position.longitude' }],
  })
  const [heads, first] = parse(Buffer.from(bytes), { bom: true }) as string[][]
  expect(heads).toEqual(['deviceAlias', 'position.longitude'])
  expect(first).toEqual(["'=1+1", '0'])
})

test('what the charts of the large screen show is a file: rows that are not named list, and values within a row', async () => {
  const trend = { path: readHomeTrend.path, body: { kind: 'online' }, rows: 'points' }
  const points = await exported({ ...trend, columns: [{ key: 'at', type: 'time' }, { key: 'value' }] })
  expect((parse(Buffer.from(points.bytes), { bom: true }) as string[][])[0]).toEqual(['at', 'value'])
  const days = { path: readHomeSummary.path, rows: 'alarms.days' }
  const { bytes } = await exported({ ...days, columns: [{ key: 'day' }, { key: 'levels.4', type: 'number' }] })
  const [, ...rows] = parse(Buffer.from(bytes), { bom: true }) as string[][]
  expect(rows.map(([, urgent]) => urgent)).toEqual(Array(7).fill('0'))
})

test('figures that are no list are one row, with fields of several groups', async () => {
  const { job, bytes } = await exported({
    path: readHomeSummary.path,
    rows: '',
    columns: [{ key: 'at', type: 'time' }, { key: 'products' }, { key: 'byType.device' }, { key: 'alarms.open' }],
    format: 'parquet',
  })
  expect(job.total).toBe(1)
  expect(await readParquet(bytes)).toEqual([
    { at: expect.any(Date), products: expect.any(BigInt), 'byType.device': 5n, 'alarms.open': '0;0;0;0;0' },
  ])
})

test('what a job found, which is JSON text, is a file: a field may have dots in its name, and be that of several', async () => {
  const { jobID } = await world.asAdmin(exportList, { path: listProducts.path })
  await finished(jobID)
  const found = {
    fired: [
      { timestamp: 1_700_000_000_000, values: { 'pump.heat': '31 ℃' }, seen: [{ name: 'a' }, { name: 'b' }] },
      { timestamp: 1_700_000_060_000, values: { on: '开' }, seen: [] },
    ],
  }
  await world.db
    .updateTable('job')
    .set({ result: JSON.stringify(found) })
    .where('job_id', '=', jobID)
    .execute()
  const { job, bytes } = await exported({
    path: readJob.path,
    body: { jobID },
    rows: 'result.fired',
    columns: [
      { key: 'timestamp', type: 'time' },
      { key: 'values.pump.heat' },
      { key: 'values.on' },
      { key: 'seen.name' },
    ],
  })
  expect(job.total).toBe(2)
  expect((parse(Buffer.from(bytes), { bom: true }) as string[][]).slice(1)).toEqual([
    ['2023-11-14T22:13:20.000Z', '31 ℃', '', 'a;b'],
    ['2023-11-14T22:14:20.000Z', '', '开', ''],
  ])
  const nothing = await exported({
    path: readJob.path,
    body: { jobID },
    rows: 'result.nowhere',
    columns: [{ key: 'x' }],
  })
  expect(nothing.job.total).toBe(0)
})

test('sentences of the platform are in the language of who asked', async () => {
  const english = { token: world.admin, headers: { 'accept-language': 'en' } }
  const path = listOperationLogs.path
  const body = { uri: createProduct.path }
  await eventually(async () => expect((await world.asAdmin(listOperationLogs, body)).total).toBeGreaterThan(0))
  const { job, bytes } = await exported({ path, body, columns: [{ key: 'operName' }] }, english)
  expect(job.title).toBe('Export “List operation log”')
  expect(parse(Buffer.from(bytes), { bom: true })[1]).toEqual(['Add product'])
})

test.each([
  ['no endpoint', { path: '/api/v1/nowhere' }, 100006, '不是可以导出的列表'],
  ['something that changes', { path: createProduct.path }, 100006, '不是可以导出的列表'],
  ['figures that are one number', { path: readHomeSummary.path, rows: 'products' }, 100006, '没有列表 products'],
  ['an answer without rows', { path: readProduct.path }, 100006, '没有列表 list'],
  ['a body that the list refuses', { path: listDevices.path, body: { status: 'x' } }, 100006, 'status'],
  ['a zone that nobody has', { path: listDevices.path, timeZone: 'Moon/Base' }, 100006, 'Moon/Base'],
])('%s is refused', async (_name, wish, code, text) => {
  const answer = await start(wish)
  expect(answer.code).toBe(code)
  expect(answer.msg).toContain(text)
})

test('who may not read a list gets no file of it, then and now', async () => {
  const roleID = await makeRole(world, [listProducts])
  const { token } = await makeSignedIn(world, { role: roleID })
  expect(await start({ path: listUsers.path }, { token })).toMatchObject({ code: errors.permission.code, status: 403 })
  const { data } = await start({ path: listProducts.path }, { token })
  expect((await finished(data.jobID, { token })).status).toBe(JobStatus.done)
  await world.asAdmin(updateRoleApis, { roleID, list: [] })
  await runAgain(data.jobID)
  expect(await finished(data.jobID, { token })).toMatchObject({
    status: JobStatus.failed,
    error: expect.stringContaining('没有「产品列表」的权限'),
  })
})

test('a key exports what it may list, of its own product alone, and sees no job but its own', async () => {
  const other = (await world.asAdmin(createProduct, { productName: uniqueText('阀') })).productID
  await world.asAdmin(createDevice, { productID: other, deviceName: 'x1' })
  const { data: key } = await world.call(createOwnKey, { name: 'k', productID }, asAdmin())
  const { bytes, job } = await exported({ path: listDevices.path, columns: [{ key: 'deviceName' }] }, byKey(key.key))
  const rows = parse(Buffer.from(bytes), { bom: true }).slice(1).flat() as string[]
  expect(rows.toSorted()).toEqual(names.toSorted())
  expect((await start({ path: listDevices.path, body: { productID: other } }, byKey(key.key))).status).toBe(403)
  expect((await start({ path: listProducts.path }, byKey(key.key))).status).toBe(403)
  const mine = await start({ path: listDevices.path })
  expect((await world.call(readJob, { jobID: mine.data.jobID }, byKey(key.key))).code).not.toBe(200)
  // A key that is revoked before its job runs gets nothing.
  await world.call(revokeOwnKey, { id: key.id }, asAdmin())
  await runAgain(job.jobID)
  expect(await finished(job.jobID)).toMatchObject({
    status: JobStatus.failed,
    error: expect.stringContaining('已撤销'),
  })
})

test('somebody who has many exports under way waits', async () => {
  const { token, userID } = await makeSignedIn(world)
  const job = {
    kind: 'list.export',
    title: '',
    input: '{}',
    user_id: userID,
    status: JobStatus.waiting,
    deadline_at: new Date('2999-01-01'),
    next_at: new Date('2999-01-01'),
  }
  const jobs = Array.from({ length: maxOpenExports }, () => ({ ...job, job_id: crypto.randomUUID() }))
  await world.db.insertInto('job').values(jobs).execute()
  expect((await start({ path: listProducts.path }, { token })).msg).toContain('还没有完成')
})

test('the link is resumed: a range, the validator of the whole, and what no longer fits', async () => {
  const { job, bytes } = await exported({ path: listDevices.path, body: { productID }, format: 'xlsx' })
  const get = (headers: Record<string, string>) => world.app.http.inject({ method: 'GET', url: job.fileUri, headers })
  const whole = await get({ 'accept-encoding': 'gzip' })
  expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', etag: expect.stringMatching(/^".+"$/) })
  expect(whole.headers['content-encoding']).toBeUndefined()
  const etag = String(whole.headers.etag)
  const part = await get({ range: 'bytes=100-', 'if-range': etag })
  expect([part.statusCode, part.headers['content-range']]).toEqual([
    206,
    `bytes 100-${bytes.length - 1}/${bytes.length}`,
  ])
  expect(new Uint8Array(part.rawPayload)).toEqual(bytes.slice(100))
  expect((await get({ range: 'bytes=100-', 'if-range': '"another"' })).statusCode).toBe(200)
  expect((await get({ range: `bytes=${bytes.length}-` })).statusCode).toBe(416)
  // A new link of the same file goes on where the old one ended.
  const { data } = await world.call(readJob, { jobID: job.jobID }, asAdmin())
  const later = await world.app.http.inject({
    method: 'GET',
    url: data.fileUri,
    headers: { range: 'bytes=0-9', 'if-range': etag },
  })
  expect(later.statusCode).toBe(206)
})
