import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BusinessType, endpoint } from '@ithings/contract/endpoint.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { ApiError, networkText } from './api-error.ts'
import { type CallParts, makeCall, recordCall } from './call.ts'
import type { FailureNotice } from './notices.ts'
import { makeSessionStore } from './session-store.ts'
import { guardedStore } from './text-store.ts'

const base = { access: 'role', name: 'n', group: 'g', body: z.object({ a: z.number().optional() }) } as const
const read = endpoint({ ...base, path: '/read', businessType: BusinessType.query, data: z.object({ a: z.number() }) })
const act = endpoint({ ...base, path: '/act', businessType: BusinessType.modify, data: z.undefined() })

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}
type Answer = (response: ServerResponse, nth: number) => void

const running: Server[] = []
afterEach(() => {
  vi.restoreAllMocks()
  for (const server of running.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
const ok = (data?: unknown, headers?: Record<string, string>) => json({ code: 200, msg: 'success', data }, 200, headers)

async function setUp(
  answer: Answer,
  options: {
    atLogin?: boolean
    timeout?: number
    ownTimeout?: true
    pauses?: number[]
    askFreshCode?: () => Promise<boolean>
    refusal?: CallParts['refusal']
  } = {},
) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url, headers } = request
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      answer(response, seen.length)
    })
  })
  running.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const store = makeSessionStore(
    guardedStore(() => {
      throw new Error('memory only')
    }),
  )
  store.signIn('t0', '7')
  const notices: FailureNotice[] = []
  let ended = 0
  const call = makeCall({
    store,
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    notify: (notice) => notices.push(notice),
    endSession: () => {
      ended += 1
    },
    atLogin: () => options.atLogin ?? false,
    ...(options.ownTimeout ? {} : { timeout: options.timeout ?? 120_000 }),
    pauses: options.pauses ?? [],
    ...(options.askFreshCode && { askFreshCode: options.askFreshCode }),
    ...(options.refusal && { refusal: options.refusal }),
  })
  return { call, store, seen, notices, server, ended: () => ended }
}

const failure = async (work: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw new Error(`no ApiError but ${String(error)}`)
}

describe('request (spec 7)', () => {
  test('a call is a POST with JSON body, client id and token headers and yields the data', async () => {
    const { call, store, seen } = await setUp(ok({ a: 1 }))
    expect(await call(read, { a: 5 })).toEqual({ a: 1 })
    const [request] = seen
    expect(request?.method).toBe('POST')
    expect(request?.url).toBe('/read')
    expect(request?.body).toBe('{"a":5}')
    expect(request?.headers['content-type']).toContain('application/json')
    expect(request?.headers['ithings-token']).toBe('t0')
    expect(request?.headers['ithings-guid']).toBe(store.guid())
  })

  test('spec 7: cookies are included, also to a back-end host of another origin', async () => {
    const { call } = await setUp(ok({ a: 1 }))
    // Node keeps no cookies: what the browser is asked for is all there is to see.
    const asked = vi.spyOn(globalThis, 'fetch')
    await call(read, {})
    expect(asked.mock.calls.map(([, init]) => init?.credentials)).toEqual(['include'])
  })

  test('spec 9: the time-out of a request is 200000 ms', async () => {
    const { call } = await setUp(ok({ a: 1 }), { ownTimeout: true })
    const limit = vi.spyOn(AbortSignal, 'timeout')
    await call(read, {})
    expect(limit.mock.calls).toEqual([[200_000]])
  })

  test('a returned token is used by the next call and stays after a response without one', async () => {
    const { call, store, seen } = await setUp((response, nth) =>
      ok({ a: nth }, nth === 1 ? { 'iThings-set-token': 't1' } : undefined)(response, nth),
    )
    await call(read, {})
    await call(read, {})
    await call(read, {})
    expect(seen.map((request) => request.headers['ithings-token'])).toEqual(['t0', 't1', 't1'])
    expect(store.token()).toBe('t1')
  })

  test('a failing response renews the token too', async () => {
    const { call, store } = await setUp(json({ code: 100006, msg: 'x' }, 400, { 'iThings-set-token': 't1' }))
    await failure(call(act, {}))
    expect(store.token()).toBe('t1')
  })

  test('without a session nothing is sent that needs one', async () => {
    const { call, store, seen, notices, ended } = await setUp(ok({ a: 1 }))
    store.clear()
    expect(await failure(call({ ...read, access: 'signed-in' }, {}))).toMatchObject({ httpStatus: 401 })
    expect({ sent: seen.length, told: notices.length, ended: ended() }).toEqual({ sent: 0, told: 0, ended: 0 })
    await call({ ...read, access: 'public' }, {})
    expect(seen).toHaveLength(1)
  })

  test('a late answer of an ended session does not bring its token back', async () => {
    const held: ServerResponse[] = []
    const { call, store, seen } = await setUp((response) => held.push(response))
    const work = call(read, {})
    await expect.poll(() => seen.length).toBe(1)
    store.clear()
    for (const response of held) ok({ a: 1 }, { 'iThings-set-token': 't1' })(response, 1)
    await work
    expect(store.token()).toBe('')
  })
})

describe('failures (spec 8)', () => {
  test('a body code other than 200 is a failure even with HTTP 200, told once', async () => {
    const { call, notices } = await setUp(json({ code: 100009, msg: '未查询到', requestID: 'r1' }))
    const error = await failure(call(read, {}))
    expect([error.code, error.httpStatus, error.requestID]).toEqual([100009, 200, 'r1'])
    expect(notices).toEqual([{ title: '请求错误, 错误码:100009', text: '未查询到', requestID: 'r1' }])
  })

  test('quiet calls tell nothing', async () => {
    const { call, notices } = await setUp(json({ code: 100007, msg: 'x' }, 400))
    await failure(call(read, {}, { quiet: true }))
    expect(notices).toEqual([])
  })

  test('a forbidden query is shown in place, a forbidden action is told', async () => {
    const { call, notices, ended } = await setUp(json({ code: 100012, msg: '权限不足' }, 403))
    expect((await failure(call(read, {}))).httpStatus).toBe(403)
    expect(notices).toHaveLength(0)
    await failure(call(act, {}))
    expect(notices).toHaveLength(1)
    expect(ended()).toBe(0)
  })

  test('without a response the notice says that the server cannot be reached', async () => {
    const { call, notices, server } = await setUp(ok())
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect((await failure(call(act, {}))).httpStatus).toBe(0)
    expect(notices).toEqual([{ title: '网络异常', text: networkText, requestID: undefined }])
  })

  test('a read that met no server is asked again before anything is told; an action is not repeated', async () => {
    const breakFirst: Answer = (response, nth) => (nth === 1 ? response.socket?.destroy() : ok({ a: 1 })(response, nth))
    const reads = await setUp(breakFirst, { pauses: [1] })
    expect(await reads.call(read, {})).toEqual({ a: 1 })
    expect(reads.notices).toEqual([])
    const acts = await setUp(breakFirst, { pauses: [1] })
    await failure(acts.call(act, {}))
    expect(acts.seen).toHaveLength(1)
  })

  test('a call that takes longer than the time-out fails as a network exception and is not repeated', async () => {
    const { call, notices, seen } = await setUp(() => undefined, { timeout: 60, pauses: [1] })
    expect((await failure(call(read, {}))).httpStatus).toBe(0)
    // Perhaps it was given up before it had arrived.
    expect(seen.length).toBeLessThan(2)
    expect(notices).toHaveLength(1)
  })

  test('a call that its caller gave up tells nothing', async () => {
    const { call, notices, seen } = await setUp(() => undefined)
    const giveUp = new AbortController()
    const work = call(read, {}, { signal: giveUp.signal })
    await expect.poll(() => seen.length).toBe(1)
    giveUp.abort()
    await expect(work).rejects.toMatchObject({ name: 'AbortError' })
    expect(notices).toEqual([])
  })
})

describe('a call that needs the second factor anew', () => {
  const stale = json({ code: 900013, msg: '这项操作需要再次输入两步验证码' }, 403)

  test('is repeated with the new token once the code was right, and nothing is told', async () => {
    const answer: Answer = (response, nth) => (nth === 1 ? stale : ok())(response, nth)
    const { call, store, seen, notices } = await setUp(answer, {
      askFreshCode: async () => {
        store.renew('t1')
        return true
      },
    })
    await call(act, { a: 5 })
    expect(seen.map(({ body, headers }) => [body, headers['ithings-token']])).toEqual([
      ['{"a":5}', 't0'],
      ['{"a":5}', 't1'],
    ])
    expect(notices).toEqual([])
  })

  test('fails when the person gives none, and is asked for once only', async () => {
    const asked = vi.fn(async () => false)
    const { call, seen } = await setUp(stale, { askFreshCode: asked })
    expect((await failure(call(act, {}))).code).toBe(900013)
    expect([asked.mock.calls.length, seen.length]).toEqual([1, 1])
  })
})

describe('401 (spec 8)', () => {
  const refused = json({ code: 100002, msg: 'token已经过期' }, 401)

  test('clears token and user once, for however many calls fail together', async () => {
    const { call, store, notices, ended } = await setUp(refused)
    await Promise.all([failure(call(read, {})), failure(call(read, {})), failure(call(act, {}))])
    expect(store.complete()).toBe(false)
    expect(ended()).toBe(1)
    expect(notices).toHaveLength(1)
  })

  test('a quiet action tells why the login page appears, a quiet query does not', async () => {
    const action = await setUp(refused)
    await failure(action.call(act, {}, { quiet: true }))
    expect(action.notices).toHaveLength(1)
    const query = await setUp(refused)
    await failure(query.call(read, {}, { quiet: true }))
    expect(query.notices).toEqual([])
    expect(query.ended()).toBe(1)
  })

  test('changes nothing on the login page', async () => {
    const { call, store, ended } = await setUp(refused, { atLogin: true })
    await failure(call(read, {}))
    expect(store.complete()).toBe(true)
    expect(ended()).toBe(0)
  })

  test('a late 401 of the former token leaves the new session alone', async () => {
    const held: ServerResponse[] = []
    const { call, store, seen, ended } = await setUp((response) => held.push(response))
    const work = failure(call(read, {}))
    await expect.poll(() => seen.length).toBe(1)
    store.signIn('t9', '8')
    for (const response of held) refused(response, 1)
    await work
    expect(store.token()).toBe('t9')
    expect(ended()).toBe(0)
  })
})

test('what a preview refuses never leaves the browser and says why, a form that is quiet says it itself', async () => {
  const refusal = ({ path }: { path: string }) =>
    path === act.path ? { code: 100012, httpStatus: 403, message: '只能查看' } : undefined
  const { call, seen, notices } = await setUp(ok({ a: 1 }), { refusal })
  expect((await failure(call(act, {}, { quiet: true }))).message).toBe('只能查看')
  expect(notices).toEqual([])
  expect((await failure(call(act, {}))).httpStatus).toBe(403)
  expect(notices).toMatchObject([{ text: '只能查看' }])
  await call(read, {})
  expect(seen.map(({ url }) => url)).toEqual([read.path])
})

test('what a reading asks is told without asking it, and the next one is asked again', async () => {
  const { call, seen } = await setUp(ok({ a: 1 }))
  const reading = async () => (await call(read, { a: 7 })).a + (await call(read, {})).a
  expect(recordCall(reading)).toEqual({ path: '/read', body: { a: 7 } })
  expect(recordCall(() => 'nothing')).toBeUndefined()
  expect(seen).toHaveLength(0)
  await call(read, {})
  expect(seen).toHaveLength(1)
})
