import { createUploadUrl } from '@ithings/contract/features/files.ts'
import { JobStatus, readJob } from '@ithings/contract/features/jobs.ts'
import { exportOperationLogs, listOperationLogs, type OperationLog } from '@ithings/contract/features/logs.ts'
import { createRole, deleteRole, listRoles, updateRole } from '@ithings/contract/features/roles.ts'
import { updateSettings } from '@ithings/contract/features/settings.ts'
import {
  changeOwnPassword,
  createUser,
  getCaptcha,
  login,
  logout,
  readResources,
  resetPassword,
} from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FinishedCall } from '#http/operation-log-hook.ts'
import { eventually } from '#testing/eventually.ts'
import { makeSignedIn, makeUser, testPassword, uniqueText } from '#testing/people.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function find(filter: object): Promise<OperationLog[]> {
  const { data } = await world.call(listOperationLogs, filter, { token: world.admin })
  expect(data.total).toBe(data.list.length)
  return data.list
}

/** The log is written beside the request, so that a row may come a moment later. */
const waitFor = (filter: object, count = 1): Promise<OperationLog[]> =>
  eventually(async () => {
    const rows = await find(filter)
    expect(rows).toHaveLength(count)
    return rows
  })

const requestIDOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers['x-request-id'])

const finishedCall: FinishedCall = {
  user: { userID: 1, userName: adminName, role: 1, sid: '', language: 'zh' },
  endpoint: createRole,
  ip: '203.0.113.9',
  body: {},
  answer: '{}',
  code: 200,
  msg: 'success',
  durationMs: 1,
  requestID: '',
}

describe('what is written', () => {
  test('who did what from where, with request, answer, result, duration and the request id of the answer', async () => {
    const person = await makeSignedIn(world, { role: 1 })
    const name = uniqueText('日志角色')
    const answer = await world.call(createRole, { name, remark: '备注' }, { token: person.token, ip: '203.0.113.5' })
    const [row] = await waitFor({ requestID: requestIDOf(answer) })
    expect(row).toEqual({
      id: expect.stringMatching(/^\d+$/),
      userID: String(person.userID),
      operUserName: person.userName,
      operName: '新增角色',
      businessType: '1',
      uri: createRole.path,
      operIpAddr: '203.0.113.5',
      operLocation: '未知',
      req: JSON.stringify({ name, remark: '备注' }),
      resp: JSON.stringify({ code: 200, msg: 'success', data: { id: answer.data.id } }),
      code: '200',
      msg: 'success',
      createdTime: expect.stringMatching(/^\d{10}$/),
      duration: expect.any(Number),
      requestID: requestIDOf(answer),
    })
    expect(row?.duration).toBeGreaterThanOrEqual(0)
    expect(row?.duration).toBeLessThan(30_000)
  })

  test('a refusal with its code and sentence', async () => {
    const answer = await world.call(deleteRole, { id: 1 }, { token: world.admin })
    const [row] = await waitFor({ requestID: requestIDOf(answer) })
    expect(row).toMatchObject({ operName: '删除角色', businessType: '2', code: '100006', msg: answer.msg })
    expect(JSON.parse(row?.resp ?? '')).toMatchObject({ code: 100006, msg: answer.msg })
  })

  test('a body that the contract refuses and a missing permission', async () => {
    const person = await makeSignedIn(world, { role: 2 })
    const wrong = await world.call(createRole, { name: '' }, { token: world.admin })
    const forbidden = await world.call(createRole, { name: 'x' }, person)
    expect((await waitFor({ requestID: requestIDOf(wrong) }))[0]).toMatchObject({ code: '100006', req: '{"name":""}' })
    expect((await waitFor({ requestID: requestIDOf(forbidden) }))[0]).toMatchObject({
      code: '100012',
      operUserName: person.userName,
    })
  })

  test('passwords are masked in every request, and nothing of them reaches the table', async () => {
    const person = await makeSignedIn(world)
    const created = await world.call(
      createUser,
      { userName: uniqueText('masked'), password: 'Masked-pass-1', role: 3 },
      { token: world.admin },
    )
    const reset = await world.call(
      resetPassword,
      { userID: person.userID, password: 'Masked-pass-2' },
      { token: world.admin },
    )
    const again = await makeSignedIn(world)
    const own = await world.call(changeOwnPassword, { oldPassword: testPassword, newPassword: 'Masked-pass-3' }, again)
    for (const [answer, fields] of [
      [created, { password: '******', role: 3 }],
      [reset, { password: '******', userID: person.userID }],
      [own, { oldPassword: '******', newPassword: '******' }],
    ] as const) {
      expect(answer.code).toBe(200)
      const [row] = await waitFor({ requestID: requestIDOf(answer) })
      expect(JSON.parse(row?.req ?? '')).toMatchObject(fields)
    }
    await world.app.operationLog.flush()
    const rows = await world.db.selectFrom('operation_log').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/Masked-pass|Secret-123/)
  })

  test('a large request is cut and stays valid JSON', async () => {
    const logo = `data:image/png;base64,${'A'.repeat(50_000)}`
    const answer = await world.call(updateSettings, { logo }, { token: world.admin })
    expect(answer.code).toBe(200)
    const [row] = await waitFor({ requestID: requestIDOf(answer) })
    expect(row?.req.length).toBeLessThan(10_000)
    expect(JSON.parse(row?.req ?? '')).toMatchObject({ truncated: true })
  })

  test('signing out, but neither queries, sign-ins nor calls without a token', async () => {
    const person = await makeSignedIn(world)
    const quiet = [
      await world.call(listRoles, {}, { token: world.admin }),
      await world.call(readResources, {}, person),
      await world.call(getCaptcha),
      await world.call(login, { account: adminName, password: adminPassword, pwdType: 1 }),
      await world.call(createRole, { name: 'x' }),
    ]
    const answer = await world.call(logout, {}, person)
    expect((await waitFor({ requestID: requestIDOf(answer) }))[0]).toMatchObject({
      operName: '退出登录',
      businessType: '5',
      operUserName: person.userName,
    })
    await world.app.operationLog.flush()
    for (const { headers } of quiet) expect(await find({ requestID: String(headers['x-request-id']) })).toEqual([])
  })

  test('a character that no text of the database can hold stops nothing: the call is logged like any other', async () => {
    const answer = await world.call(
      createUploadUrl,
      { business: '\0', scene: '\0', filePath: 'x' },
      { token: world.admin },
    )
    expect(answer.code).not.toBe(200)
    const [row] = await waitFor({ requestID: requestIDOf(answer) })
    expect(row?.msg).not.toContain('\0')
  })

  test('a row that the database refuses is the only one that is lost', async () => {
    const calls = [1, 2, 3].map((n) => ({ ...finishedCall, requestID: uniqueText(`call${n}`) }))
    for (const [at, call] of calls.entries()) {
      world.app.operationLog.record(at === 1 ? { ...call, code: 2 ** 40 } : call)
    }
    await world.app.operationLog.flush()
    const found = await Promise.all(calls.map(({ requestID }) => find({ requestID })))
    expect(found.map((rows) => rows.length)).toEqual([1, 0, 1])
  })

  test('a hundred calls at once leave a hundred rows', async () => {
    const name = uniqueText('批量')
    const { id } = await world.asAdmin(createRole, { name })
    const { userName } = await makeUser(world, { role: 1 })
    const token = await world.signIn(userName, testPassword)
    await Promise.all(
      Array.from({ length: 100 }, (_, turn) => world.call(updateRole, { id, remark: `第 ${turn} 次` }, { token })),
    )
    await waitFor({ operUserName: userName, operName: '修改角色' }, 100)
  })
})

describe('filters', () => {
  let person: { userID: number; userName: string }

  beforeAll(async () => {
    const signedIn = await makeSignedIn(world, { role: 1, userName: 'filter_one' })
    person = signedIn
    const options = { token: signedIn.token, ip: '198.51.100.44' }
    const { data } = await world.call(createRole, { name: uniqueText('过滤') }, options)
    await world.call(updateRole, { id: data.id, remark: 'x' }, options)
    await world.call(updateRole, { id: 987_654, remark: 'x' }, options)
    await waitFor({ userID: person.userID }, 3)
  })

  test.each([
    [{ operUserName: 'FILTER_' }, 3],
    [{ operUserName: 'filter_one', operName: '修改' }, 2],
    [{ operUserName: 'filter_one', operName: 'edit ROLE' }, 2],
    [{ operUserName: 'filter_one', businessType: '3' }, 2],
    [{ operUserName: 'filter_one', businessType: 1 }, 1],
    [{ operUserName: 'filter_one', uri: '/role/create' }, 1],
    [{ operUserName: 'filter_one', operIpAddr: '198.51.100.44' }, 3],
    [{ operUserName: 'filter_one', operIpAddr: '10.' }, 0],
    [{ operUserName: 'filter_one', result: 1 }, 2],
    [{ operUserName: 'filter_one', result: '2' }, 1],
    [{ operUserName: 'filter_one', businessType: '', operName: ' ', uri: null, keyword: 'x' }, 3],
  ])('%j finds %i', async (filter, count) => {
    expect(await find(filter)).toHaveLength(count)
  })

  test('the user id and the request id', async () => {
    const rows = await find({ userID: String(person.userID) })
    expect(rows).toHaveLength(3)
    expect(await find({ requestID: rows[0]?.requestID })).toHaveLength(1)
  })

  test('the time, under both names of the range', async () => {
    const now = Date.now()
    for (const name of ['date', 'dateRange']) {
      const within = { start: String(now - 600_000), end: String(now + 600_000) }
      expect(await find({ operUserName: 'filter_one', [name]: within })).toHaveLength(3)
      const before = { start: String(now - 600_000), end: String(now - 300_000) }
      expect(await find({ operUserName: 'filter_one', [name]: before })).toHaveLength(0)
    }
  })

  test('a wrong business type, result or time is refused with 100006', async () => {
    for (const filter of [{ businessType: '9' }, { result: 3 }, { dateRange: { start: '2026-02-30' } }]) {
      const refused = await world.call(listOperationLogs, filter, { token: world.admin })
      expect(refused).toMatchObject({ status: 400, code: 100006 })
    }
  })

  test('the newest comes first, and every sort field sorts', async () => {
    const ids = (await find({})).map((row) => Number(row.id))
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    for (const field of ['createdTime', 'operUserName', 'operName', 'businessType', 'code', 'duration'] as const) {
      const values = async (sort: 1 | 2) =>
        (await find({ page: { orders: [{ field, sort }] } })).map((row) => row[field])
      const [up, down] = [await values(1), await values(2)]
      expect([up[0], up.at(-1)], field).toEqual([down.at(-1), down[0]])
    }
    const page = await world.asAdmin(listOperationLogs, { page: { page: 2, size: 2 } })
    expect(page.list.map((row) => Number(row.id))).toEqual(ids.slice(2, 4))
  })
})

test('the export has the entries of the filter, oldest first and with their hashes, and needs a right of its own', async () => {
  const person = await makeSignedIn(world, { role: 1 })
  for (const name of ['=a', 'b']) await world.call(createRole, { name: uniqueText(name) }, { token: person.token })
  const rows = (await waitFor({ userID: person.userID }, 2)).toReversed()
  const { jobID } = await world.asAdmin(exportOperationLogs, { userID: person.userID, businessType: 1 })
  const { fileUri } = await eventually(async () => {
    const job = await world.asAdmin(readJob, { jobID })
    expect(job.status).toBe(JobStatus.done)
    return job
  })
  const { body } = await world.app.http.inject({ method: 'GET', url: fileUri })
  const hashes = await world.db
    .selectFrom('operation_log')
    .select('hash')
    .where('user_id', '=', person.userID)
    .orderBy('id')
    .execute()
  const lines = body.trimEnd().split('\r\n').slice(1)
  expect(lines).toHaveLength(2)
  for (const [at, line] of lines.entries()) {
    expect(line.startsWith(`${rows[at]?.id},`)).toBe(true)
    expect(line.endsWith(`,${rows[at]?.requestID},${hashes[at]?.hash.toString('hex')}`)).toBe(true)
  }
  const other = await makeSignedIn(world, { role: 2 })
  expect((await world.call(exportOperationLogs, {}, other)).code).toBe(100012)
})
