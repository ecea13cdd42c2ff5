import { createDecipheriv, createHmac } from 'node:crypto'
import { passwordOf, SignMethod, userNameOf } from '@ithings/contract/device/credentials.ts'
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import * as auth from '@ithings/contract/features/device-auth.ts'
import { createDevice, deleteDevice, readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { bindSubDevices } from '@ithings/contract/features/gateways.ts'
import { createProduct, readProduct, updateProduct } from '@ithings/contract/features/products.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import { makeScriptRunner } from '#engines/script-vm/script-runner.ts'
import { makeDeviceCache } from '#features/devices/door.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { makeProductCache } from '#features/products/door.ts'
import { mount } from '#http/route.ts'
import { makeHttpServer } from '#http/server.ts'
import type { Session } from '#ports/broker.ts'
import { openWorld, type World } from '#testing/world.ts'
import { type DeviceAuth, deviceAuthRoutes, installHookGuard, makeDeviceAuth } from './door.ts'

const product = '254pwnKQsvK'
const gatewayProduct = '254pwnKQsvG'
const childProduct = '254pwnKQsvC'
let world: World
let devices: DeviceAuth
let closed: FastifyInstance
let open: FastifyInstance
const closers: Array<() => Promise<void>> = []

beforeAll(async () => {
  world = await openWorld()
  const { db, clock } = world
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: world.url })
  const signal = makePgSignal(world.url, pool, () => {})
  await signal.start()
  const scripts = makeScriptRunner()
  const deps = {
    db,
    clock,
    signal,
    devices: makeDeviceCache({ db, clock, signal, mostDevices: 1_000 }),
    products: makeProductCache({ db, scripts, signal }),
  }
  devices = makeDeviceAuth(deps)
  const serve = async (secret: string | undefined) => {
    const http = await makeHttpServer({
      log: pino({ level: 'silent' }),
      trustProxy: 1,
      corsOrigins: [],
      tls: undefined,
    })
    installHookGuard(http, secret)
    const nobody = { identify: () => Promise.reject(new Error('no tokens here')), allows: async () => false }
    for (const route of deviceAuthRoutes(deps, devices)) mount(http, route, nobody)
    await http.ready()
    closers.push(() => http.close())
    return http
  }
  open = await serve(undefined)
  closed = await serve('hook-secret')
  closers.push(
    () => signal.stop(),
    () => pool.end(),
    () => scripts.stop(),
  )
  await world.asAdmin(createProduct, { productID: product, productName: 'lamps' })
  await world.asAdmin(createProduct, { productID: gatewayProduct, productName: 'gateways', deviceType: 2 })
  await world.asAdmin(createProduct, { productID: childProduct, productName: 'children', deviceType: 3 })
  for (const [productID, deviceName] of [
    [product, 'lamp'],
    [gatewayProduct, 'gate'],
    [childProduct, 'bound'],
    [childProduct, 'free'],
  ] as const) {
    await world.asAdmin(createDevice, { productID, deviceName })
  }
  await world.asAdmin(bindSubDevices, {
    gateWayProductID: gatewayProduct,
    gateWaydeviceName: 'gate',
    list: [{ productID: childProduct, deviceName: 'bound' }],
  })
})
afterAll(async () => {
  for (const close of closers) await close()
  await world.close()
})

const secretOf = async (productID: string, deviceName: string) =>
  (await world.asAdmin(readDevice, { productID, deviceName })).secret

const inSeconds = (offset: number) => Math.floor(world.clock.now() / 1000) + offset

async function credentials(productID: string, deviceName: string, options: { expiry?: number; joint?: string } = {}) {
  const clientID = `${productID}${options.joint ?? ''}${deviceName}`
  const userName = userNameOf(clientID, 'ABCDE', options.expiry ?? inSeconds(3600))
  const password = passwordOf(userName, await secretOf(productID, deviceName), SignMethod.sha256)
  return { clientID, userName, password, ip: '127.0.0.1' }
}

const session = (productID: string, deviceName: string, deviceType: number): Session => ({
  device: { productID, deviceName, deviceID: 1, deviceType },
  clientID: `${productID}${deviceName}`,
  ip: '127.0.0.1',
  connectedAt: 0,
  registering: false,
})

const post = (http: FastifyInstance, endpoint: Endpoint, payload: object, headers: Record<string, string> = {}) =>
  http.inject({ method: 'POST', url: endpoint.path, payload, headers })

test.each(['', '&'])(
  'device-protocol.md 2: a device signs in with its secret, client id joined by %j',
  async (joint) => {
    const answer = await devices.login(await credentials(product, 'lamp', { joint }))
    expect(answer).toMatchObject({ ok: true, registering: false })
    expect(answer).toHaveProperty('device.deviceName', 'lamp')
  },
)

test('decisions.md 2: CONNACK 4 for a bad password, an unknown device and names that do not fit', async () => {
  const good = await credentials(product, 'lamp')
  const refusal = (returnCode: number, code: number) => ({ ok: false, returnCode, code })
  expect(await devices.login({ ...good, password: `${'0'.repeat(64)};hmacsha256` })).toMatchObject(refusal(4, 1000004))
  expect(await devices.login({ ...good, clientID: `${product}other` })).toMatchObject(refusal(4, 100006))
  expect(await devices.login({ ...good, clientID: 'nonsense' })).toMatchObject(refusal(4, 100006))
  expect(await devices.login({ ...good, userName: 'nonsense' })).toMatchObject(refusal(4, 100006))
  const stranger = userNameOf(`${product}nobody`, 'ABCDE', inSeconds(60))
  expect(await devices.login({ ...good, clientID: `${product}nobody`, userName: stranger })).toMatchObject(
    refusal(4, 100009),
  )
})

test('decisions.md 2: CONNACK 5 for an expired signature', async () => {
  const expired = await credentials(product, 'lamp', { expiry: inSeconds(-5) })
  expect(await devices.login(expired)).toMatchObject({ ok: false, returnCode: 5, code: 100011 })
})

test('a disabled device gets CONNACK 5 at once, and may come back when it is enabled', async () => {
  const good = await credentials(product, 'lamp')
  await world.asAdmin(updateDevice, { productID: product, deviceName: 'lamp', isEnable: 2 })
  await expect.poll(() => devices.login(good)).toMatchObject({ ok: false, returnCode: 5, code: 100021 })
  await world.asAdmin(updateDevice, { productID: product, deviceName: 'lamp', isEnable: 1 })
  await expect.poll(() => devices.login(good)).toMatchObject({ ok: true })
})

test('a deleted device cannot sign in any more, a new one of its name has another secret', async () => {
  const key = { productID: product, deviceName: 'shortlived' }
  await world.asAdmin(createDevice, key)
  const good = await credentials(product, 'shortlived')
  expect(await devices.login(good)).toMatchObject({ ok: true })
  await world.asAdmin(deleteDevice, key)
  await expect.poll(() => devices.login(good)).toMatchObject({ ok: false, code: 100009 })
  await world.asAdmin(createDevice, key)
  await expect.poll(() => devices.login(good)).toMatchObject({ ok: false, code: 1000004 })
})

test('decisions.md 4.4: a gateway subscribes to its own topics and those of its bound children', async () => {
  const gate = session(gatewayProduct, 'gate', 2)
  const may = async (who: Session, productID: string, deviceName: string) =>
    devices.maySubscribe(who, `$thing/down/property/${productID}/${deviceName}`)
  expect(await may(gate, gatewayProduct, 'gate')).toBe(true)
  expect(await may(gate, childProduct, 'bound')).toBe(true)
  expect(await may(gate, childProduct, 'free')).toBe(false)
  expect(await may(gate, childProduct, 'missing')).toBe(false)
  expect(await may(session(product, 'lamp', 1), childProduct, 'bound')).toBe(false)
  // Remembered by now: answered at once.
  expect(devices.maySubscribe(gate, `$thing/down/+/${childProduct}/bound`)).toBe(true)
})

function sign(
  secret: string,
  deviceName: string,
  { timestamp = Math.floor(world.clock.now() / 1000), nonce = 7 } = {},
) {
  const text = `deviceName=${deviceName}&nonce=${nonce}&productId=${product}&timestamp=${timestamp}`
  const signature = Buffer.from(createHmac('sha1', secret).update(text).digest('hex')).toString('base64')
  return { productID: product, deviceName, nonce, timestamp, signature }
}

function unseal(payload: string, secret: string): { psk: string } {
  const key = Buffer.from(secret).subarray(0, 16)
  const decipher = createDecipheriv('aes-128-cbc', key, Buffer.alloc(16, '0'))
  return JSON.parse(Buffer.concat([decipher.update(payload, 'base64'), decipher.final()]).toString())
}

test('device-protocol.md 3: registration by HTTP, in the order of its checks', async () => {
  const { secret } = await world.asAdmin(readProduct, { productID: product })
  const ask = async (body: object) => {
    const { code, msg, data } = (await post(open, auth.authRegister, body)).json()
    return { code, msg, data }
  }
  const bad = { ...sign(secret, 'lamp'), signature: 'wrong' }
  expect(await ask({ ...bad, productID: '00000000000' })).toMatchObject({ code: 100009 })
  expect(await ask(bad)).toMatchObject({ code: 100021, msg: '未启用:设备动态注册未启动' })

  await world.asAdmin(updateProduct, { productID: product, autoRegister: 2 })
  expect(await ask(sign(secret, 'fresh'))).toMatchObject({ code: 100009, msg: '未查询到:设备注册失败，无效设备' })
  expect(await ask(bad)).toMatchObject({ code: 100006, msg: '参数错误:无效签名' })
  const { code, data } = await ask(sign(secret, 'lamp'))
  expect(code).toBe(200)
  expect(unseal(data.payload, secret).psk).toBe(await secretOf(product, 'lamp'))

  await world.asAdmin(updateProduct, { productID: product, autoRegister: 3 })
  expect(await ask({ ...sign(secret, 'fresh'), signature: 'wrong' })).toMatchObject({ code: 100006 })
  const made = await Promise.all([ask(sign(secret, 'fresh')), ask(sign(secret, 'fresh'))])
  for (const one of made) expect(unseal(one.data.payload, secret).psk).toBe(await secretOf(product, 'fresh'))

  await world.db.updateTable('device').set({ first_login: new Date() }).where('device_name', '=', 'fresh').execute()
  expect(await ask(sign(secret, 'fresh'))).toMatchObject({ code: 100019, msg: '不为空:设备已注册' })
  expect(await ask(sign(secret, 'no/such'))).toMatchObject({ code: 100009 })
})

describe('what somebody overheard or makes up', () => {
  const ask = async (body: object) => (await post(open, auth.authRegister, body)).json()
  const setUp = async (autoRegister: number) => {
    await world.asAdmin(updateProduct, { productID: product, autoRegister })
    return (await world.asAdmin(readProduct, { productID: product })).secret
  }

  test('a wrong signature hears the same of every name', async () => {
    const secret = await setUp(2)
    const active = await makeDevice(world, product)
    await world.db
      .updateTable('device')
      .set({ first_login: new Date() })
      .where('device_name', '=', active.deviceName)
      .execute()
    for (const name of [active.deviceName, 'lamp', 'nobody']) {
      const answer = await ask({ ...sign(secret, name), signature: 'wrong' })
      expect([answer.code, answer.msg]).toEqual([100006, '参数错误:无效签名'])
    }
  })

  test('a request creates a device once, however its signature is written, also when the device was deleted', async () => {
    const secret = await setUp(3)
    const request = sign(secret, 'ghost', { nonce: 8 })
    expect((await ask(request)).code).toBe(200)
    // A lost answer can be asked for again.
    expect((await ask(request)).code).toBe(200)
    await world.db.deleteFrom('device').where('device_name', '=', 'ghost').execute()
    const hex = Buffer.from(request.signature, 'base64').toString()
    for (const signature of [request.signature, Buffer.from(hex, 'hex').toString('base64')]) {
      expect(await ask({ ...request, signature })).toMatchObject({ code: 100006, msg: expect.stringContaining('重复') })
    }
    expect((await ask(sign(secret, 'ghost', { nonce: 9 }))).code).toBe(200)
  })

  test('a stale one creates nothing; a device that is known and has no clock gets its secret', async () => {
    const secret = await setUp(3)
    for (const timestamp of [0, 1, 1_687_525_491, Math.floor(world.clock.now() / 1000) + 2 * 86_400]) {
      const answer = await ask(sign(secret, 'timeless', { timestamp }))
      expect([answer.code, answer.msg]).toEqual([100006, expect.stringContaining('24 小时')])
    }
    const { deviceName } = await makeDevice(world, product)
    expect((await ask(sign(secret, deviceName, { timestamp: 1 }))).code).toBe(200)
    expect((await ask(sign(secret, 'in-ms', { timestamp: world.clock.now() }))).code).toBe(200)
  })
})

test('device-protocol.md 3: registration over MQTT', async () => {
  const { secret } = await world.asAdmin(readProduct, { productID: product })
  const anything = { userName: 'any', password: 'any', ip: '' }
  const login = await devices.login({ clientID: `register&${product}&radio`, ...anything })
  expect(login).toMatchObject({ ok: true, registering: true, device: { deviceID: 0, deviceName: 'radio' } })
  expect(await devices.login({ clientID: 'register&00000000000&radio', ...anything })).toMatchObject({ returnCode: 4 })
  expect(await devices.login({ clientID: `register&${childProduct}&radio`, ...anything })).toMatchObject({
    returnCode: 5,
    code: 100021,
  })
  const newcomer: Session = { ...session(product, 'radio', 1), registering: true }
  expect(devices.maySubscribe(newcomer, `$ext/down/register/${product}/radio`)).toBe(true)
  const { nonce, timestamp, signature } = sign(secret, 'radio')
  const { payload } = await devices.registerOverMqtt(newcomer, { nonce, timestamp, signature })
  expect(unseal(payload, secret).psk).toBe(await secretOf(product, 'radio'))
  await expect(devices.registerOverMqtt(newcomer, { nonce })).rejects.toMatchObject({ code: 100006 })
  await expect(devices.registerOverMqtt(newcomer, null)).rejects.toMatchObject({ code: 100006 })
})

test('http-api.md 4.3: the hooks of EMQX 4', async () => {
  const { clientID, userName: username, password, ip } = await credentials(product, 'lamp')
  const login = await post(open, auth.authLogin, { clientID, username, password, ip })
  expect([login.statusCode, login.json()]).toEqual([200, { code: 200, msg: 'success' }])
  const wrong = await post(open, auth.authLogin, { clientID, username, password: 'x', ip })
  expect([wrong.statusCode, wrong.json().code]).toEqual([400, 1000004])
  const access = async (kind: string, topic: string) =>
    (await post(open, auth.authAccess, { clientID, username, topic, access: kind, ip })).statusCode
  const up = `$thing/up/property/${product}/lamp`
  const down = `$thing/down/property/${product}/lamp`
  expect(await Promise.all([access('2', up), access('Pub', up), access('1', down), access('Sub', down)])).toEqual([
    200, 200, 200, 200,
  ])
  expect(await Promise.all([access('1', up), access('2', down), access('1', '#')])).toEqual([400, 400, 400])
  expect((await post(open, auth.authRootCheck, { clientID, username, password, ip })).statusCode).toBe(400)
})

test('http-api.md 4.3: the hooks of EMQX 5 answer without an envelope', async () => {
  const { clientID, userName: username, password, ip } = await credentials(gatewayProduct, 'gate')
  const login = await post(open, auth.auth5Login, { clientID, username, password, ip })
  expect([login.statusCode, login.json()]).toEqual([200, { result: 'allow', is_superuser: false }])
  const wrong = await post(open, auth.auth5Login, { clientID, username, password: 'x', ip })
  expect([wrong.statusCode, wrong.json().code]).toEqual([400, 1000004])
  const access = (action: string, topic: string) =>
    post(open, auth.auth5Access, { clientID, username, topic, action, ip })
  const allowed = await access('publish', `$thing/up/property/${childProduct}/bound`)
  expect([allowed.statusCode, allowed.json()]).toEqual([200, { result: 'allow' }])
  const refused = await access('publish', `$thing/up/property/${childProduct}/free`)
  expect([refused.statusCode, refused.json().code]).toEqual([400, 100012])
})

test('without EMQX_HOOK_SECRET the hooks answer this machine only, not what comes through a proxy', async () => {
  const body = { clientID: 'x', username: 'x', topic: '$thing', action: 'publish' }
  const status = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    (await open.inject({ method: 'POST', url: auth.auth5Access.path, payload: body, headers, remoteAddress }))
      .statusCode
  expect(await status({})).toBe(400)
  expect(await status({}, '10.0.0.7')).toBe(403)
  expect(await status({ 'x-forwarded-for': '127.0.0.1' })).toBe(403)
  expect(await status({ 'x-real-ip': '127.0.0.1' })).toBe(403)
})

test('with EMQX_HOOK_SECRET only who sends it is answered; registration stays open', async () => {
  const body = { clientID: 'x', username: 'x', password: 'x' }
  const status = async (headers: Record<string, string>) =>
    (await post(closed, auth.auth5Login, body, headers)).statusCode
  expect(await status({})).toBe(403)
  expect(await status({ authorization: 'Bearer wrong' })).toBe(403)
  expect(await status({ authorization: 'Bearer hook-secret' })).toBe(400)
  const register = await post(closed, auth.authRegister, sign('x', 'lamp'))
  expect(register.json().code).not.toBe(100012)
})
