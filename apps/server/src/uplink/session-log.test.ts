/** Refused sign-ins and limits explain themselves in the log (decisions.md 4.6), and cannot flood it (4.3). */
import { clientIDOf, passwordOf, randomConnID, SignMethod, userNameOf } from '@ithings/contract/device/credentials.ts'
import { readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { connectAsync } from 'mqtt'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#app/config.ts'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { type JournalEntry, JournalKind } from '#ports/journal.ts'
import { connectDevice, credentialsOf, type DeviceKey, type TestDevice } from '#testing/mqtt-device.ts'
import { makeTestClock, openWorld, type World } from '#testing/world.ts'
import { makeHubLogWriter } from './hub-log-writer.ts'
import { makeSessionLog } from './session-log.ts'
import { linesOf, makeConnected, makeFullProduct } from './testing/full-product.ts'

const refusals = async (world: World, key: DeviceKey) =>
  (await linesOf(world, key))
    .filter(({ code }) => code !== 200)
    .map(({ kind, code, msg, content }) => ({ kind, code, msg, content: JSON.parse(content) }))

describe('a refused sign-in', () => {
  let world: World
  let productID: string
  beforeAll(async () => {
    world = await openWorld()
    productID = await makeFullProduct(world)
  })
  afterAll(() => world?.close())

  const signedUntil = async (key: DeviceKey, expiry: number) => {
    const { secret } = await world.asAdmin(readDevice, key)
    const username = userNameOf(clientIDOf(key), randomConnID(), expiry)
    return { clientId: clientIDOf(key), username, password: passwordOf(username, secret, SignMethod.sha256) }
  }

  test.each<[string, (key: DeviceKey) => Promise<object>, number, number, string]>([
    ['a bad signature', async () => ({ password: 'wrong;hmacsha256' }), 4, 1000004, '签名不正确'],
    ['a bad user name', async () => ({ username: 'me' }), 4, 100006, 'username 应为'],
    ['an expired password', (key) => signedUntil(key, 1_700_000_000), 5, 100011, '请重新生成密码'],
    [
      'a disabled device',
      async (key) => {
        await world.asAdmin(updateDevice, { ...key, isEnable: 2 })
        return {}
      },
      5,
      100021,
      '设备已禁用',
    ],
  ])('%s is a line in the log of the device that was named', async (_, wrong, returnCode, code, text) => {
    const key = await makeDevice(world, productID)
    const given = { ...(await credentialsOf(world, key)), ...(await wrong(key)) }
    await expect(connectDevice(world, key, given)).rejects.toMatchObject({ code: returnCode })
    const line = { kind: JournalKind.login, code, msg: expect.stringContaining(text) }
    await expect
      .poll(() => refusals(world, key))
      .toEqual([{ ...line, content: { ip: '127.0.0.1', clientID: clientIDOf(key) } }])
  })

  test('the line of a connection tells how long its password is good for another', async () => {
    const key = await makeDevice(world, productID)
    const expiry = 4_000_000_000
    const device = await connectDevice(world, key, await signedUntil(key, expiry))
    const came = async () => (await linesOf(world, key)).find(({ kind }) => kind === JournalKind.connected)?.content
    await expect.poll(came).toContain(`"expiresAt":${expiry * 1000}`)
    await device.end()
  })

  test('a device that tries again and again has a line a minute, which says how often it tried', async () => {
    const key = await makeDevice(world, productID)
    const given = { ...(await credentialsOf(world, key)), password: 'wrong;hmacsha256' }
    const knock = () => expect(connectDevice(world, key, given)).rejects.toMatchObject({ code: 4 })
    for (let n = 0; n < 3; n++) await knock()
    await expect.poll(() => refusals(world, key)).toHaveLength(1)
    world.clock.advance(60_000)
    await knock()
    await expect
      .poll(async () => (await refusals(world, key)).map(({ content }) => content.times))
      .toEqual([undefined, 3])
  })
})

describe('a limit', () => {
  test('a message that is too large is a line of 900002, once a minute however often the device comes back', async () => {
    const world = await openWorld()
    const first = await makeConnected(world)
    const sendTooMuch = async (device: TestDevice) =>
      expect(device.publish('thing/property', { method: 'report', note: 'x'.repeat(300_000) })).rejects.toThrow()
    await sendTooMuch(first)
    for (let n = 0; n < 2; n++) await sendTooMuch(await connectDevice(world, first.key))
    const left = async () => (await linesOf(world, first.key)).filter(({ kind }) => kind === JournalKind.disconnected)
    await expect.poll(left).toHaveLength(3)
    const line = { kind: JournalKind.publish, code: 900002, msg: expect.stringContaining('消息超过大小限制') }
    expect(await refusals(world, first.key)).toEqual([expect.objectContaining(line)])
    await world.close()
  })

  test('a device that is turned away because too many connect has a line of 900002', async () => {
    const world = await openWorld({
      config: { mqttLimits: { ...readConfig({}).mqttLimits, connectRate: 0.01, connectBurst: 1 } },
    })
    const first = await makeConnected(world)
    const key = await makeDevice(world, first.key.productID)
    const given = { ...(await credentialsOf(world, key)), reconnectPeriod: 0 }
    await expect(connectAsync(`mqtt://127.0.0.1:${world.app.mqtt.port}`, given, false)).rejects.toThrow()
    await expect
      .poll(() => refusals(world, key))
      .toEqual([
        {
          kind: JournalKind.login,
          code: 900002,
          msg: expect.stringContaining('连接过于频繁'),
          content: { limit: 'connectRate', ip: '127.0.0.1', clientID: clientIDOf(key) },
        },
      ])
    await first.end()
    await world.close()
  })
})

/** The log of a server whose journal is a list. */
function makeLog(deviceOf: (clientID: string) => number | undefined = () => undefined) {
  const stored: JournalEntry[] = []
  const warned: Array<Record<string, unknown>> = []
  const clock = makeTestClock()
  const log = pino({ level: 'warn' }, { write: (text: string) => void warned.push(JSON.parse(text)) })
  const bus = makeMemoryBus((error) => {
    throw error
  })
  const journal = { nextSeq: () => stored.length, append: async (entry: JournalEntry) => void stored.push(entry) }
  const lines = makeHubLogWriter({ journal, bus, clock, log, metrics: new Registry(), logDaysOf: () => 7 })
  const unasked = () => {
    throw new Error('nobody came or left')
  }
  const named = (clientID: string) => {
    const deviceID = deviceOf(clientID)
    return deviceID === undefined ? undefined : { productID: 'p', deviceName: clientID, deviceID, deviceType: 1 }
  }
  const sessions = makeSessionLog({
    lines,
    bus,
    clock,
    log,
    presence: { online: unasked, left: unasked },
    deviceOf: named,
  })
  return { sessions, lines, stored, warned, clock, named }
}

describe('floods', () => {
  const refusal = { ok: false, returnCode: 4, code: 100009, msg: '没有设备' } as const

  test('strangers are named in the log of the server, one line for each reason in ten seconds', () => {
    const { sessions, warned, clock } = makeLog()
    for (let n = 0; n < 5_000; n++) sessions.refused({ ip: '10.0.0.1', clientID: 'x'.repeat(256) }, refusal)
    expect(warned).toHaveLength(1)
    expect(warned[0]).toMatchObject({
      ip: '10.0.0.1',
      clientID: 'x'.repeat(128),
      code: 100009,
      msg: 'a sign-in was refused',
    })
    clock.advance(10_000)
    sessions.refused({ ip: '10.0.0.1', clientID: 'y' }, refusal)
    expect(warned[1]).toMatchObject({ clientID: 'y', times: 5_000 })
  })

  test.each(['connections', 'packetSize', 'connectRate'] as const)(
    'so is who reached %s before anybody knows it',
    async (limit) => {
      const { sessions, warned } = makeLog()
      for (let n = 0; n < 100; n++) sessions.limited(limit, undefined, 'detail', { ip: '10.0.0.1', clientID: '' })
      await expect.poll(() => warned).toHaveLength(1)
      expect(warned[0]).toMatchObject({ ip: '10.0.0.1', code: 900002, why: expect.stringContaining('detail') })
    },
  )

  test('a fleet of 5,000 with old passwords, or turned away, leaves 2,000 lines', async () => {
    const { sessions, lines, stored, named } = makeLog((clientID) => Number(clientID))
    for (let n = 1; n <= 5_000; n++) {
      const caller = { ip: '10.0.0.1', clientID: String(n) }
      sessions.refused(caller, { ...refusal, device: named(caller.clientID) })
      sessions.limited('connectRate', undefined, '', caller)
    }
    await lines.settled()
    expect(stored.length).toBeGreaterThanOrEqual(1_900)
    expect(stored.length).toBeLessThan(2_200)
  })
})
