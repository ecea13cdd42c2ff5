/** `$log`, `$config`, `$ext` (device-protocol.md 7) and registration over MQTT (device-protocol.md 3). */
import { createDecipheriv, createHmac } from 'node:crypto'
import { multiUpdateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { readProduct } from '@ithings/contract/features/products.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey, type TestDevice } from '#testing/mqtt-device.ts'
import { uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { deviceIDOf, makeConnected, makeFullProduct, refusalOf } from './testing/full-product.ts'

let world: World
let device: TestDevice

beforeAll(async () => {
  world = await openWorld()
  device = await makeConnected(world)
})
afterAll(() => world?.close())

describe('$log', () => {
  const stored = async (key: DeviceKey) =>
    world.db
      .selectFrom('sdk_log')
      .select(['at', 'log_level', 'content'])
      .where('device_id', '=', await deviceIDOf(world, key))
      .orderBy('id')
      .execute()

  test.each([
    ['getStatus', 'getStatusReply'],
    ['get_status', 'get_status_reply'],
  ])('%s answers the level of logs', async (method, answer) => {
    await world.asAdmin(updateDevice, { ...device.key, logLevel: 3 })
    const reply = await device.ask('log/operation', { method, timestamp: 1 })
    expect(reply).toMatchObject({ method: answer, code: 200, data: { logLevel: 3 } })
    device.received.length = 0
  })

  test('a new level is pushed to $log/down/update, by one edit and by many', async () => {
    // That of the test before may still be on its way.
    const told = (level: number) =>
      device.next('log/update', ({ data }) => (data as { logLevel: number }).logLevel === level)
    await world.asAdmin(updateDevice, { ...device.key, logLevel: 4 })
    const push = await told(4)
    expect(push).toMatchObject({ code: 200, clientToken: expect.stringMatching(/./) })
    expect(push.method).toBeOneOf(['get_status_reply', 'getStatusReply'])
    await world.asAdmin(multiUpdateDevices, { list: [device.key], logLevel: 5 })
    expect(await told(5)).toMatchObject({ code: 200 })
  })

  test('lines are stored in their order; level 5 and the time of receipt stand for what is missing', async () => {
    const own = await makeConnected(world, {}, device.key.productID)
    const at = world.clock.now() - 60_000
    const reply = await own.ask('log/report', {
      method: 'reportInfo',
      params: [
        { timestamp: at, logLevel: 2, content: 'first' },
        { content: 'second \u0000 \ud800' },
        { timestamp: 'soon', logLevel: '3', content: 'third' },
        { timestamp: world.clock.now() + 86_400_000, content: 'a clock ahead' },
        { timestamp: 81_234, content: 'ms since its start' },
        { timestamp: Math.floor(world.clock.now() / 1000), content: 'seconds' },
        { timestamp: world.clock.now() - 400 * 86_400_000, content: 'a clock behind' },
      ],
    })
    expect(reply).toMatchObject({ method: 'reportInfoReply', code: 200 })
    const lines = await stored(own.key)
    expect(lines.map((line) => [line.log_level, line.content])).toEqual([
      [2, 'first'],
      [5, 'second \ufffd \ufffd'],
      [3, 'third'],
      [5, 'a clock ahead'],
      [5, 'ms since its start'],
      [5, 'seconds'],
      [5, 'a clock behind'],
    ])
    expect(Number(lines[0]?.at)).toBe(at)
    for (const line of lines.slice(1)) expect(Math.abs(Number(line.at) - at - 60_000)).toBeLessThan(60_000)
    await own.end()
  })

  test.each([
    ['report', 'report_reply'],
    ['report_info', 'reportInfoReply'],
    ['anything', 'reportInfoReply'],
  ])('the method %s counts too and is answered with %s', async (method, answer) => {
    const reply = await device.ask('log/report', { method, params: [{ content: 'x' }] })
    expect(reply).toMatchObject({ method: answer, code: 200 })
  })

  test.each([
    ['no lines', [], 100006, 'need add params'],
    ['an object', { content: 'x' }, 100006, 'need add params'],
    ['a line without content', [{ content: 'x' }, {}], 100006, 'content'],
    ['a line that is no object', [null], 100006, 'content'],
    ['an unknown level', [{ content: 'x', logLevel: 9 }], 100015, 'logLevel'],
    ['a level that is no number', [{ content: 'x', logLevel: { toString: 1 } }], 100015, 'logLevel'],
    ['too many lines', Array.from({ length: 1_001 }, () => ({ content: 'x' })), 100015, '1000'],
  ])('%s: refused, nothing is stored', async (_, params, code, text) => {
    const before = (await stored(device.key)).length
    const reply = await device.ask('log/report', { method: 'reportInfo', params })
    expect(reply.code).toBe(code)
    expect(reply.msg).toContain(text)
    expect(await stored(device.key)).toHaveLength(before)
  })
})

describe('$config', () => {
  test.each([
    ['{"method":"get"}', undefined],
    ['{"method":"get","clientToken":"c1"}', 'c1'],
    ['{}', undefined],
    ['{"method":"fetch"}', undefined],
    ['{"method":"report"}', undefined],
    ['', undefined],
    ['no json', undefined],
    ['[1]', undefined],
  ])('the body %j is not looked at: without a configuration the answer is 100009', async (payload, token) => {
    await device.publishRaw(`$config/up/get/${device.key.productID}/${device.key.deviceName}`, payload)
    expect(await device.next('config/get')).toMatchObject({ method: 'reply', code: 100009, clientToken: token ?? '' })
  })
})

describe('$ext/up/ntp', () => {
  test.each([
    ['getNtp', 'getNtpReply'],
    ['get_ntp', 'getNtpReply'],
  ])('%s answers with three of the four times, however wrong the clock is', async (method, answer) => {
    for (const timestamp of [1, Date.now(), 9_999_999_999_999, '5']) {
      const before = Date.now()
      const reply = await device.ask('ext/ntp', { method, timestamp })
      expect(reply).toMatchObject({ method: answer, code: 200, data: { deviceSendTime: Number(timestamp) } })
      const { serverRecvTime } = reply.data as { serverRecvTime: number }
      expect(serverRecvTime).toBeGreaterThanOrEqual(before)
      expect(Number(reply.timestamp)).toBeGreaterThanOrEqual(serverRecvTime)
    }
  })

  test.each([[undefined], [{}], ['soon']])('a sending time of %j counts as 0', async (timestamp) => {
    const reply = await device.ask('ext/ntp', { method: 'getNtp', timestamp })
    expect(reply).toMatchObject({ code: 200, data: { deviceSendTime: 0 } })
  })
})

describe('registration over MQTT', () => {
  const connectToRegister = (key: DeviceKey) =>
    connectDevice(world, key, {
      clientId: `register&${key.productID}&${key.deviceName}`,
      username: 'any',
      password: 'any',
      subscribe: [`$ext/down/register/${key.productID}/${key.deviceName}`],
    })
  const sign = async ({ productID, deviceName }: DeviceKey) => {
    const { secret } = await world.asAdmin(readProduct, { productID })
    const timestamp = Math.floor(world.clock.now() / 1000)
    const text = `deviceName=${deviceName}&nonce=7&productID=${productID}&timestamp=${timestamp}`
    const signature = Buffer.from(createHmac('sha1', secret).update(text).digest('hex')).toString('base64')
    return { secret, payload: { nonce: 7, timestamp, signature } }
  }
  const openSeal = (data: { len: number; payload: string }, productSecret: string) => {
    const decipher = createDecipheriv('aes-128-cbc', Buffer.from(productSecret).subarray(0, 16), Buffer.alloc(16, '0'))
    const text = decipher.update(data.payload, 'base64', 'utf8') + decipher.final('utf8')
    expect(Buffer.byteLength(text)).toBe(data.len)
    return JSON.parse(text)
  }

  test('a device that does not exist is made, and signs in with the secret that it got', async () => {
    const key = { productID: await makeFullProduct(world, { autoRegister: 3 }), deviceName: uniqueText('new-') }
    const session = await connectToRegister(key)
    const { secret, payload } = await sign(key)
    await session.publish('ext/register', { msgToken: 'r1', payload })
    const reply = await session.next('ext/register')
    expect(reply).toMatchObject({ msgToken: 'r1', code: 200 })
    const { psk } = openSeal(reply.data as { len: number; payload: string }, secret)
    expect((await world.asAdmin(readDevice, key)).secret).toBe(psk)
    await session.end()
    const signedIn = await connectDevice(world, key)
    expect((await signedIn.ask('thing/property', { method: 'report', params: { power: 1 } })).code).toBe(200)
    expect(await signedIn.ask('ext/register', { method: 'register', payload })).toMatchObject({ code: 100019 })
    await signedIn.end()
  })

  test('a wrong signature is answered with 100006, a broken payload too', async () => {
    const key = { productID: await makeFullProduct(world, { autoRegister: 3 }), deviceName: uniqueText('new-') }
    const session = await connectToRegister(key)
    const { payload } = await sign(key)
    for (const bad of [{ ...payload, nonce: 8 }, {}, null, 'x']) {
      await session.publish('ext/register', { msgToken: 'r', payload: bad })
      expect(await session.next('ext/register')).toMatchObject({ msgToken: 'r', code: 100006 })
    }
    await session.end()
  })

  test('such a session may use nothing else: acknowledged and dropped', async () => {
    const productID = await makeFullProduct(world, { autoRegister: 3 })
    const key = await makeDevice(world, productID)
    const session = await connectToRegister(key)
    await session.publish('thing/property', { method: 'report', clientToken: 'x', params: { power: 1 } })
    await session.publish('ext/register', { payload: {} }, { of: { productID, deviceName: 'another' } })
    await session.publishRaw('any/topic', 'x')
    await session.publishRaw(`$ext/up/register/${productID}/${key.deviceName}`, 'no json')
    await session.publishRaw(`$ext/up/register/${productID}/${key.deviceName}`, 'null')
    const rows = await world.db
      .selectFrom('journal')
      .select('at')
      .where('device_id', '=', await deviceIDOf(world, key))
      .execute()
    expect(rows).toEqual([])
    const [granted] = await session.client
      .subscribeAsync(`$thing/down/property/${productID}/${key.deviceName}`)
      .catch(() => [{ qos: 128 }])
    expect(granted?.qos).toBe(128)
    expect((await world.asAdmin(readDevice, key)).isOnline).toBe(2)
    await session.end()
  })

  test('it does not end the session of the device itself', async () => {
    const productID = await makeFullProduct(world, { autoRegister: 3 })
    const own = await makeConnected(world, {}, productID)
    const session = await connectToRegister(own.key)
    expect((await own.ask('thing/property', { method: 'report', params: { power: 1 } })).code).toBe(200)
    await session.end()
    await own.end()
  })

  test('a product without registration refuses the connection with 5', async () => {
    const key = { productID: await makeFullProduct(world, { autoRegister: 1 }), deviceName: 'x-1' }
    await expect(connectToRegister(key)).rejects.toMatchObject({ code: 5 })
  })
})

test('topics that nobody handles yet are logged, not answered', async () => {
  await device.publish('shadow/get', { method: 'get', clientToken: 'x', sys: { noAsk: true } })
  expect((await refusalOf(world, device.key))?.code).toBe(100013)
})
