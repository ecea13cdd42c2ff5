import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('the OpenAPI 3.1 document lists every endpoint of the contract once', async () => {
  const document = (await world.app.http.inject('/api/openapi.json')).json()
  expect(document.openapi).toBe('3.1.0')
  expect(Object.keys(document.paths).sort()).toEqual(allEndpoints.map((endpoint) => endpoint.path).sort())
  const ids = Object.values(document.paths).map((path) => (path as { post: { operationId: string } }).post.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('every endpoint of the contract is mounted', async () => {
  for (const { path } of allEndpoints) {
    expect(world.app.http.hasRoute({ method: 'POST', url: path }), path).toBe(true)
  }
})

test('every endpoint but the public ones refuses a call without a token', async () => {
  for (const { path, access, asPrometheus } of allEndpoints.filter((endpoint) => endpoint.access !== 'public')) {
    const answer = await world.app.http.inject({ method: 'POST', url: path, payload: {} })
    const { code, errorType } = answer.json()
    const refusal = asPrometheus ? 'unauthorized' : 1000007
    expect([path, access, answer.statusCode, code ?? errorType]).toEqual([path, access, 401, refusal])
  }
})

test('only captcha, the ways to sign in, common/config and the sign-in of devices are public', () => {
  const open = allEndpoints.filter((endpoint) => endpoint.access === 'public').map((endpoint) => endpoint.path)
  expect(open.sort()).toEqual([
    '/api/v1/system/common/config',
    '/api/v1/system/sign-on/begin',
    '/api/v1/system/sign-on/choices',
    '/api/v1/system/sign-on/finish',
    '/api/v1/system/user/captcha',
    '/api/v1/system/user/login',
    '/api/v1/system/user/passkey/sign-in',
    '/api/v1/system/user/passkey/sign-in-start',
    '/api/v1/things/device/auth/access',
    '/api/v1/things/device/auth/login',
    '/api/v1/things/device/auth/register',
    '/api/v1/things/device/auth/root-check',
    '/api/v1/things/device/auth5/access',
    '/api/v1/things/device/auth5/login',
  ])
})

test('the API page and all its parts come from this server', async () => {
  const page = await world.app.http.inject('/api/docs')
  expect(page.statusCode).toBe(200)
  const parts = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
  expect(parts.length).toBeGreaterThanOrEqual(3)
  for (const part of parts) {
    expect(part.startsWith('/')).toBe(true)
    expect((await world.app.http.inject(part)).statusCode, part).toBe(200)
  }
})

test('the folder of the API page gives out nothing else', async () => {
  expect((await world.app.http.inject('/api/docs/assets/package.json')).statusCode).toBe(404)
})
