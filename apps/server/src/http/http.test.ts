import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { createOtaTask, otaLimits, previewOtaTask } from '@ithings/contract/features/ota/task.ts'
import { listRoles } from '@ithings/contract/features/roles.ts'
import { readScene } from '@ithings/contract/features/scenes/info.ts'
import { getCaptcha, login } from '@ithings/contract/features/users.ts'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { installHealth } from './health.ts'
import { makeHttpServer } from './server.ts'

let world: World
let consoleDir: string

const page = '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><meta name="ithings:pwa" content="__PWA__">'
const script = `export const big = '${'x'.repeat(4000)}'`

beforeAll(async () => {
  consoleDir = await mkdtemp(join(tmpdir(), 'ithings-console-'))
  await mkdir(join(consoleDir, 'assets'))
  await writeFile(join(consoleDir, 'index.html'), page)
  await writeFile(join(consoleDir, 'assets', 'app-1a2b.js'), script)
  await writeFile(join(consoleDir, 'assets', 'app-1a2b.js.br'), brotliCompressSync(script))
  world = await openWorld({ consoleDir })
})
afterAll(async () => {
  await world.close()
  await rm(consoleDir, { recursive: true })
})

const post = (url: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  world.app.http.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } })

describe('refusals answer with the envelope', () => {
  test.each([
    '/front/iThingsCore/assets/',
    '/front/iThingsCore/assets/..%2f..%2fpackage.json',
    '/front/iThingsCore/assets/app%00.js',
  ])('%s is no file', async (url) => {
    const answer = await world.app.http.inject({ method: 'GET', url })
    expect(answer.statusCode).toBeLessThan(500)
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.json()).toMatchObject({ code: expect.any(Number), requestID: expect.any(String) })
  })

  test('a body of an encoding that nobody knows is 415', async () => {
    const answer = await post(getCaptcha.path, '{}', { 'content-encoding': 'gzip, gzip' })
    expect(answer.statusCode).toBe(415)
  })

  test('a body ten thousand levels deep, or with text that cannot be stored, is 400 with 100006', async () => {
    for (const body of [
      `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      '{"account":"a\\u0000b"}',
      '{"account":"\\ud800"}',
    ]) {
      const answer = await post(login.path, body)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ code: 100006 })
    }
  })

  test('an unknown path is 404 with code 100009 and names the path', async () => {
    const answer = await post('/api/v1/system/nothing', '{}')
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ code: 100009, msg: '未查询到:路径 /api/v1/system/nothing 不存在' })
  })

  test('a wrong method is 405 with code 100013 and Allow: POST', async () => {
    const answer = await world.app.http.inject({ method: 'GET', url: login.path })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers.allow).toBe('POST')
    expect(answer.json().code).toBe(100013)
  })

  test('a body over 1 MB is 413 with code 100015', async () => {
    const answer = await post(login.path, JSON.stringify({ account: 'x'.repeat(1024 * 1024 + 1) }))
    expect(answer.statusCode).toBe(413)
    expect(answer.json()).toMatchObject({ code: 100015, msg: expect.stringContaining('1 MB') })
  })

  test('an endpoint with a larger limit reads its body only for whoever may call it', async () => {
    const body = (bytes: number) => JSON.stringify({ deviceList: ['x'.repeat(bytes)] })
    const beyondUsual = body(1024 * 1024)
    expect((await post(previewOtaTask.path, beyondUsual)).statusCode).toBe(401)
    const stranger = await makeSignedIn(world)
    expect((await post(createOtaTask.path, beyondUsual, { 'iThings-token': stranger.token })).statusCode).toBe(403)
    const signedIn = { 'iThings-token': world.admin }
    expect((await post(previewOtaTask.path, beyondUsual, signedIn)).json()).toMatchObject({ code: 100006 })
    const answer = await post(previewOtaTask.path, body(otaLimits.bodyBytes), signedIn)
    expect(answer.statusCode).toBe(413)
    expect(answer.json()).toMatchObject({ code: 100015, msg: expect.stringContaining('8 MB') })
  })

  test('a wrong content type is 415 with code 100014', async () => {
    const answer = await post(login.path, '<login/>', { 'content-type': 'text/xml' })
    expect(answer.statusCode).toBe(415)
    expect(answer.json().code).toBe(100014)
  })

  test.each([
    ['broken JSON', '{"account":'],
    ['bad UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe])],
  ])('%s is 400 with code 100006 and no stack trace', async (_name, payload) => {
    const answer = await post(login.path, payload)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().code).toBe(100006)
    expect(answer.body).not.toMatch(/SyntaxError|at .*\.ts/)
  })

  test.each(['[]', '"text"', '7'])('a body that is no object (%s) names that', async (payload) => {
    const answer = await post(login.path, payload)
    expect(answer.json()).toMatchObject({ code: 100006, msg: '参数错误:请求体必须是对象' })
  })

  test('a missing field is named in Chinese and marked for the form', async () => {
    const answer = await world.call(login, { account: 'someone' })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 100006, msg: '参数错误:password 不能为空', field: 'password' })
  })

  test('a text over its limit names field and limit', async () => {
    const answer = await world.call(login, { account: 'a'.repeat(129), password: 'x', pwdType: 1 })
    expect(answer.msg).toBe('参数错误:account 不能超过 128 个字符')
  })

  test.each([
    ['/api/v1/system/project/info/index', 100022],
    ['/api/v1/system/area/info/tree', 100022],
    ['/api/v1/system/dataAuth/index', 100022],
    ['/api/v1/system/user/register1', 100018],
    ['/api/v1/system/user/register2', 100018],
  ])('%s is not built and answers %i', async (path, code) => {
    const answer = await post(path, '{}')
    expect(answer.statusCode).toBe(400)
    expect(answer.json().code).toBe(code)
  })

  test('an id beyond every column is refused like any other wrong number', async () => {
    const { status, code } = await world.call(readScene, { id: 3_000_000_000 }, { token: world.admin })
    expect([status, code]).toEqual([400, 100015])
  })

  test('a failure carries the request id that the header carries', async () => {
    const answer = await post('/api/v1/none', '{}', { 'x-request-id': 'walk-12345678' })
    expect(answer.headers['x-request-id']).toBe('walk-12345678')
    expect(answer.json().requestID).toBe('walk-12345678')
  })

  test('a request id that could break a log line is replaced', async () => {
    const answer = await post('/api/v1/none', '{}', { 'x-request-id': 'bad id\t' })
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('lenient input (http-api.md 1)', () => {
  test('unknown keys, null and digit strings are accepted', async () => {
    const answer = await world.call(
      listRoles,
      { page: { page: '1', size: '2' }, name: null, status: '0', current: 1, pageSize: 20, keyword: 'x' },
      { token: world.admin },
    )
    expect(answer.code).toBe(200)
    expect(answer.data.list).toHaveLength(2)
  })

  test('an empty body counts as {}', async () => {
    const answer = await post(getCaptcha.path, '')
    expect(answer.json().code).toBe(200)
  })
})

describe('the console', () => {
  test('/ leads to the console', async () => {
    const answer = await world.app.http.inject('/')
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/front/iThingsCore/'])
  })

  test('the page gets a new nonce each time, in the page and in the policy', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const answer = await world.app.http.inject('/front/iThingsCore/')
        const nonce = /csp-nonce" content="([^"]+)"/.exec(answer.body)?.[1] ?? ''
        expect(answer.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
        expect(answer.headers['cache-control']).toBe('no-store')
        return nonce
      }),
    )
    expect(nonces[0]).not.toBe('')
    expect(nonces[0]).not.toBe(nonces[1])
  })

  test('plain http never asks to upgrade insecure requests (spec 7)', async () => {
    const answer = await world.app.http.inject('/front/iThingsCore/')
    expect(answer.headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
  })

  test('routes of the console fall back to its page, only inside its base path', async () => {
    const inside = await world.app.http.inject('/front/iThingsCore/systemMangers/user/index?page=2')
    expect([inside.statusCode, inside.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const outside of ['/front/other', '/systemMangers/user/index', '/front/iThingsCore/assets/gone-1.js']) {
      const answer = await world.app.http.inject(outside)
      expect([outside, answer.statusCode, answer.json().code]).toEqual([outside, 404, 100009])
    }
  })

  test('assets are immutable and served pre-compressed', async () => {
    const url = '/front/iThingsCore/assets/app-1a2b.js'
    const answer = await world.app.http.inject({ url, headers: { 'accept-encoding': 'br' } })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(answer.headers['content-security-policy']).toBe(
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(answer.rawPayload.length).toBeLessThan(200)
    expect((await world.app.http.inject({ url })).body).toBe(script)
    for (const unpacked of ['br;q=0', 'bread', 'deflate;q=1, br; q=0.0']) {
      const plain = await world.app.http.inject({ url, headers: { 'accept-encoding': unpacked } })
      expect([unpacked, plain.headers['content-encoding'], plain.body]).toEqual([unpacked, undefined, script])
      expect(plain.headers).toMatchObject({ vary: 'accept-encoding', 'content-type': 'text/javascript; charset=utf-8' })
    }
    const head = await world.app.http.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, `${script.length}`, ''])
  })

  test('an asset that is not there yet is not remembered as missing', async () => {
    const url = '/front/iThingsCore/assets/later-9z.css'
    const missing = await world.app.http.inject(url)
    expect([missing.statusCode, missing.headers['cache-control']]).toEqual([404, undefined])
    await writeFile(join(consoleDir, 'assets', 'later-9z.css'), 'a{}')
    expect((await world.app.http.inject(url)).body).toBe('a{}')
  })

  test('nothing outside of the console folder can be read', async () => {
    for (const url of ['/front/iThingsCore/../../package.json', '/front/iThingsCore/%2e%2e/%2e%2e/package.json']) {
      expect((await world.app.http.inject(url)).body).not.toContain('"dependencies"')
    }
  })
})

describe('security headers', () => {
  test('answers of the API allow nothing to a page', async () => {
    const answer = await post(getCaptcha.path, '{}')
    expect(answer.headers['content-security-policy']).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['strict-transport-security']).toBeUndefined()
  })

  test('whatever is asked for: no plugin, no other base, no foreign frame, no sniffing, no referrer, no cookie', async () => {
    for (const url of [
      '/',
      '/front/iThingsCore/',
      '/front/iThingsCore/assets/app-1a2b.js',
      '/front/iThingsCore/index.html',
      '/api/docs',
      '/api/docs/start.js',
      '/api/docs/assets/swagger-ui.css',
      '/api/openapi.json',
      '/api/v1/oss/x?sign=y',
      '/healthz',
      '/nothing',
    ]) {
      const { headers } = await world.app.http.inject(url)
      const policy = String(headers['content-security-policy'])
      expect([url, policy]).toEqual([url, expect.stringMatching(/object-src 'none'|default-src 'none'/)])
      expect([url, policy]).toEqual([url, expect.stringMatching(/base-uri 'none'.*frame-ancestors '(self|none)'/)])
      expect([url, headers]).toEqual([
        url,
        expect.objectContaining({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }),
      ])
      expect([url, headers['set-cookie']]).toEqual([url, undefined])
    }
  })

  test('answers of the API are not kept, and say what they are', async () => {
    for (const [url, payload] of [
      [getCaptcha.path, '{}'],
      [listRoles.path, '{}'],
      ['/api/v1/nothing', '{}'],
    ] as const) {
      const { headers } = await post(url, payload)
      expect([url, headers['cache-control']]).toEqual([url, 'no-store'])
      expect([url, headers['content-type']]).toEqual([url, 'application/json; charset=utf-8'])
    }
    for (const url of ['/api/docs', '/api/docs/start.js', '/api/docs/assets/swagger-ui.css', '/front/iThingsCore/']) {
      const { headers } = await world.app.http.inject(url)
      expect([url, headers['content-type']]).toEqual([url, expect.stringMatching(/^text\/.*; charset=utf-8$/i)])
    }
  })

  test('nobody answers TRACE', async () => {
    const answer = await world.app.http.inject({ method: 'TRACE', url: '/healthz', headers: { 'x-probe': 'echoed' } })
    expect(answer.statusCode).toBe(404)
    expect(answer.body).not.toContain('echoed')
  })

  test('without CORS_ORIGINS no other origin is allowed', async () => {
    const answer = await post(getCaptcha.path, '{}', { origin: 'http://elsewhere.example' })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('health', () => {
  test('/healthz and /readyz tell that process and database are up', async () => {
    expect((await world.app.http.inject('/healthz')).json()).toEqual({ status: 'up' })
    expect((await world.app.http.inject('/readyz')).json()).toEqual({
      status: 'up',
      checks: { database: 'up', work: 'up', signal: 'up', broker: 'up' },
    })
  })

  test('/readyz tells why something is down to this machine only', async () => {
    const http = await makeHttpServer({
      log: pino({ level: 'silent' }),
      trustProxy: false,
      corsOrigins: [],
      tls: undefined,
    })
    const database = async () => {
      throw new Error('no password for user ithings')
    }
    const signal = async () => undefined
    installHealth(http, { ready: { database, signal }, metrics: new Registry(), metricsToken: undefined })
    const ask = async (remoteAddress: string) => (await http.inject({ url: '/readyz', remoteAddress })).json()
    expect(await ask('127.0.0.1')).toEqual({
      status: 'down',
      checks: { database: 'down: no password for user ithings', signal: 'up' },
    })
    expect(await ask('203.0.113.5')).toEqual({ status: 'down', checks: { database: 'down', signal: 'up' } })
    const without = await http.inject('/readyz?exclude=upstream&exclude=database')
    expect([without.statusCode, without.json()]).toEqual([200, { status: 'up', checks: { signal: 'up' } }])
    await http.close()
  })

  test('/metrics answers loopback with Prometheus text', async () => {
    const ask = () => world.app.http.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    const answer = await ask()
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain('ithings_http_request_seconds_bucket')
    await expect.poll(async () => (await ask()).body).toContain('ithings_operation_log_waiting 0')
  })

  test.each(['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'])(
    '/metrics through a proxy of this machine, which sends %s, is not this machine',
    async (header) => {
      const headers = { [header]: '127.0.0.1' }
      const answer = await world.app.http.inject({ url: '/metrics', remoteAddress: '127.0.0.1', headers })
      expect([answer.statusCode, answer.json().code]).toEqual([403, 100012])
    },
  )

  test('/metrics refuses other addresses, whatever they claim', async () => {
    const answer = await world.app.http.inject({
      url: '/metrics',
      remoteAddress: '203.0.113.5',
      headers: { 'x-forwarded-for': '127.0.0.1' },
    })
    expect([answer.statusCode, answer.json().code]).toEqual([403, 100012])
  })
})

describe('compression', () => {
  test('a long answer is compressed when the client can read it', async () => {
    const answer = await world.app.http.inject({ url: '/api/openapi.json', headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers['content-encoding']).toBe('gzip')
  })
})
