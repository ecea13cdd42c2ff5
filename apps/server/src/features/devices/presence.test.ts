/** Who is connected, since when, and why not any more (issue: presence). */
import { randomUUID } from 'node:crypto'
import { multiUpdateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { bindSubDevices, unbindSubDevices } from '@ithings/contract/features/gateways.ts'
import { fill, kept, sayKept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import type { EventMap } from '#ports/event-bus.ts'
import type { Signal } from '#ports/signal.ts'
import { makeTestBackground } from '#testing/background.ts'
import { missOthers } from '#testing/miss-others.ts'
import { connectDevice, credentialsOf, type DeviceKey, type TestDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { deviceIDOf, linesOf, makeConnected, makeFullProduct } from '#uplink/testing/full-product.ts'
import { Presence } from './presence.ts'
import type { PresenceChange } from './presence-store.ts'
import { activate, makeDevice } from './testing/make-devices.ts'

let world: World
let productID: string
beforeAll(async () => {
  world = await openWorld()
  productID = await makeFullProduct(world)
})
afterAll(() => world?.close())

const connected = () => makeConnected(world, {}, productID)
const stateOf = async (key: DeviceKey, at = world) => {
  const { isOnline, firstLogin, lastLogin } = await at.asAdmin(readDevice, key)
  return { isOnline, firstLogin: Number(firstLogin), lastLogin: Number(lastLogin) }
}
const untilOnline = (key: DeviceKey, wanted: 1 | 2, at = world) =>
  expect.poll(async () => (await stateOf(key, at)).isOnline).toBe(wanted)
const nameOf = ({ productID, deviceName }: DeviceKey) => ({
  gateWayProductID: productID,
  gateWaydeviceName: deviceName,
})
const hubLog = async (key: DeviceKey, kind: number) =>
  (await linesOf(world, key))
    .filter((line) => line.kind === kind)
    .map((line) => JSON.parse(sayKept(line.content, fill)))

describe('one server', () => {
  test('connecting activates the device and writes who it was; leaving keeps the times', async () => {
    const key = await makeDevice(world, productID)
    expect(await stateOf(key)).toMatchObject({ isOnline: 2, firstLogin: 0 })
    const device = await connectDevice(world, key)
    await untilOnline(key, 1)
    const first = await stateOf(key)
    expect(Math.abs(first.firstLogin * 1_000 - Date.now())).toBeLessThan(60_000)
    await expect
      .poll(() => hubLog(key, 1))
      .toEqual([{ ip: '127.0.0.1', clientID: `${key.productID}${key.deviceName}`, expiresAt: expect.any(Number) }])
    await device.client.endAsync()
    await untilOnline(key, 2)
    expect(await stateOf(key)).toMatchObject({ firstLogin: first.firstLogin, lastLogin: first.lastLogin })
    await expect.poll(async () => (await hubLog(key, 2)).map((one) => one.reason)).toEqual(['设备主动断开'])
  })

  test.each<[string, (device: Awaited<ReturnType<typeof connected>>) => void, string]>([
    ['a broken line', (device) => device.client.stream.destroy(), '连接中断'],
    ['a farewell', (device) => void device.client.end(), '设备主动断开'],
  ])('%s is told as the reason', async (_, leave, reason) => {
    const device = await connected()
    leave(device)
    await expect.poll(async () => (await hubLog(device.key, 2)).map((one) => one.reason)).toEqual([reason])
    await untilOnline(device.key, 2)
  })

  test('a device that is gone at once was there all the same', async () => {
    const key = await makeDevice(world, productID)
    const device = await connectDevice(world, key, { subscribe: [] })
    device.client.stream.destroy()
    await expect.poll(async () => (await stateOf(key)).firstLogin).toBeGreaterThan(0)
    await untilOnline(key, 2)
  })

  test('taking over keeps it online: the old connection ends, the new one speaks', async () => {
    const first = await connected()
    await untilOnline(first.key, 1)
    const states: number[] = []
    const watch = setInterval(() => void stateOf(first.key).then(({ isOnline }) => states.push(isOnline)), 5)
    const second = await connectDevice(world, first.key)
    await first.closed
    expect((await second.ask('thing/property', { method: 'report', params: { power: 1 } })).code).toBe(200)
    await expect
      .poll(async () => (await hubLog(first.key, 2)).map((one) => one.reason))
      .toEqual(['被同一设备的新连接取代'])
    await expect.poll(() => states.length).toBeGreaterThan(10)
    clearInterval(watch)
    expect(new Set(states)).toEqual(new Set([1]))
    await second.end()
    await untilOnline(first.key, 2)
  })

  test('refused sign-ins do not touch the session of the device', async () => {
    const device = await connected()
    const credentials = await credentialsOf(world, device.key)
    await expect(
      connectDevice(world, device.key, { ...credentials, password: 'wrong;hmacsha256' }),
    ).rejects.toMatchObject({
      code: 4,
    })
    expect((await device.ask('thing/property', { method: 'report', params: { power: 1 } })).code).toBe(200)
    await device.end()
  })
})

describe('the hub log of those without a connection of their own', () => {
  let gateway: TestDevice
  let child: DeviceKey
  beforeEach(async () => {
    gateway = await makeConnected(world, { deviceType: 2 })
    child = await makeDevice(world, await makeFullProduct(world, { deviceType: 3 }))
    await world.asAdmin(bindSubDevices, { ...nameOf(gateway.key), list: [child] })
    return () => gateway.end()
  })
  const say = (method: 'online' | 'offline') => gateway.ask('gateway/status', { method, payload: { devices: [child] } })
  /** So many that others hear of their products only. */
  const disableMany = async (key: DeviceKey) => {
    const others = Array.from({ length: 21 }, () => makeDevice(world, key.productID))
    await world.asAdmin(multiUpdateDevices, { list: [...(await Promise.all(others)), key], isEnable: 2 })
  }
  const passages = async (key: DeviceKey) =>
    (await linesOf(world, key))
      .filter(({ kind }) => kind < 3)
      .map((line) => [line.kind, JSON.parse(sayKept(line.content, fill))])
  const came = [1, { reason: '网关上报上线', ip: '127.0.0.1' }]

  test('a gateway says that its child is there or gone: one line for each change, however often it says so', async () => {
    for (const word of ['online', 'online', 'offline', 'offline', 'online'] as const) await say(word)
    await expect.poll(() => passages(child)).toEqual([came, [2, { reason: '网关上报下线' }], came])
  })

  test.each<[string, () => Promise<unknown>, string]>([
    ['its gateway leaves', () => gateway.end(), '网关离线'],
    ['it is unbound', () => world.asAdmin(unbindSubDevices, { ...nameOf(gateway.key), list: [child] }), '已从网关解绑'],
    ['it is disabled', () => world.asAdmin(updateDevice, { ...child, isEnable: 2 }), '设备已禁用'],
    ['it is disabled with others', () => disableMany(child), '设备已禁用'],
  ])('a child is gone because %s', async (_, cause, reason) => {
    await say('online')
    await cause()
    await expect.poll(() => passages(child)).toEqual([came, [2, { reason }]])
  })

  test('a connection writes its own lines, and nobody writes them twice', async () => {
    const device = await connected()
    await untilOnline(device.key, 1)
    await device.end()
    await untilOnline(device.key, 2)
    await expect.poll(async () => (await passages(device.key)).map(([kind]) => kind)).toEqual([1, 2])
  })

  test('thousands of devices of a server that was killed have their line as soon as another server notices', async () => {
    const count = 2_500
    const dead = randomUUID()
    const now = world.clock.now()
    await sql`
      with made as (
        insert into device (product_id, device_name, secret, is_online, first_login, last_login)
        select ${productID}, 'lost-' || n, 's', 1, now(), now() from generate_series(1, ${count}) as n returning device_id
      ), server as (
        insert into platform_server (server_id, seen_at) values (${dead}, ${now - 16_000})
      )
      insert into device_session (device_id, server_id, client_id, ip, connected_at)
      select device_id, ${dead}, 'c', '', ${now - 60_000} from made`.execute(world.db)
    const told = async () => {
      const { rows } = await sql<{ lines: number; devices: number }>`
        select count(*)::int as lines, count(distinct device_id)::int as devices from journal
        where kind = 2 and content::jsonb ->> 'reason' = ${kept('服务器已停止')}`.execute(world.db)
      return rows[0]
    }
    await expect.poll(told).toEqual({ lines: count, devices: count })
  })
})

/** Nobody hears of changes. */
const deafSignal: Signal = {
  send: async () => {},
  on: () => {},
  hear: () => () => {},
  onGap: () => {},
  connected: false,
  doubt() {},
  start: async () => {},
  stop: async () => {},
}

/** A presence of its own on the same database, as another server has it. */
function anotherServer(alone = false, lookMs?: number) {
  const ended: Array<[string, number]> = []
  const told: Array<EventMap['device.presence']> = []
  const written: PresenceChange[] = []
  const bus = makeMemoryBus((error) => {
    throw error
  })
  bus.on('device.presence', (event) => void told.push(event))
  const { db, clock } = world
  const writeDown = (changes: PresenceChange[]) => void written.push(...changes)
  const log = pino({ level: 'silent' })
  const background = makeTestBackground(clock)
  const replaced = ({ deviceName }: { deviceName: string }, epoch: number) => void ended.push([deviceName, epoch])
  const unasked = { facts: () => ({}), drainWished: () => {} }
  const deps = { db, clock, bus, signal: deafSignal, log, background, writeDown, replaced, alone, steadyMs: 0 }
  const presence = new Presence({ ...deps, ...unasked, lookMs })
  const session = () => ({ clientID: 'c', ip: '127.0.0.1', connectedAt: clock.now() })
  return { presence, told, written, ended, session }
}
const refOf = async (key: DeviceKey) => ({ ...key, deviceID: await deviceIDOf(world, key) })
const serversOf = async (key: DeviceKey) => {
  const rows = await world.db
    .selectFrom('device_session')
    .select('server_id')
    .where('device_id', '=', await deviceIDOf(world, key))
    .execute()
  return rows.map((row) => row.server_id)
}

describe('several servers on one database', () => {
  test('a device that moved to another server stays online when the first one loses it, and nobody is told otherwise', async () => {
    const device = await refOf(await makeDevice(world, productID))
    const [one, two] = [anotherServer(), anotherServer()]
    await one.presence.start()
    await two.presence.start()
    one.presence.online(device, one.session())
    await one.presence.settled()
    two.presence.online(device, two.session())
    await two.presence.settled()
    const session = { ip: '127.0.0.1', seconds: 1 }
    one.presence.left(device, 'gone', world.clock.now(), session)
    await one.presence.settled()
    expect((await stateOf(device)).isOnline).toBe(1)
    expect(one.told.map((event) => event.online)).toEqual([true])
    expect(one.written).toEqual([])
    two.presence.left(device, 'gone', world.clock.now(), session)
    await two.presence.settled()
    expect((await stateOf(device)).isOnline).toBe(2)
    expect(two.told.map((event) => event.online)).toEqual([true, false])
    expect(two.written).toMatchObject([{ online: false, reason: 'gone', session }])
    await one.presence.stop()
    await two.presence.stop()
  })

  test('a connection that was replaced elsewhere ends, though nobody was told of it', async () => {
    const [device, stays] = [
      await refOf(await makeDevice(world, productID)),
      await refOf(await makeDevice(world, productID)),
    ]
    const one = anotherServer(false, 20)
    const two = anotherServer()
    await one.presence.start()
    await two.presence.start()
    for (const moves of [device, stays]) one.presence.online(moves, one.session())
    await one.presence.settled()
    const { epoch } = await world.db
      .selectFrom('device_session')
      .select('epoch')
      .where('device_id', '=', device.deviceID)
      .executeTakeFirstOrThrow()
    two.presence.online(device, two.session())
    await two.presence.settled()
    await expect.poll(() => one.ended).toContainEqual([device.deviceName, epoch])
    expect(new Set(one.ended.map(([name]) => name))).toEqual(new Set([device.deviceName]))
    await one.presence.stop()
    await two.presence.stop()
  })

  test('a device that flaps quicker than it is written has a line of each end all the same', async () => {
    const device = await refOf(await makeDevice(world, productID))
    const { presence, written, session } = anotherServer()
    await presence.start()
    presence.online(device, session())
    for (let n = 0; n < 3; n++) {
      presence.left(device, `end ${n}`, world.clock.now(), { ip: '', seconds: 0 })
      presence.online(device, session())
    }
    await presence.settled()
    expect(written.map(({ reason }) => reason)).toEqual(['end 0', 'end 1', 'end 2'])
    expect((await stateOf(device)).isOnline).toBe(1)
    await presence.stop()
  })

  test('a server that stops says goodbye for its devices and their children', async () => {
    const gateway = await refOf(await makeDevice(world, await makeFullProduct(world, { deviceType: 2 })))
    const child = await refOf(await makeDevice(world, await makeFullProduct(world, { deviceType: 3 })))
    const name = { gateWayProductID: gateway.productID, gateWaydeviceName: gateway.deviceName }
    await world.asAdmin(bindSubDevices, { ...name, list: [child] })
    const { presence, session } = anotherServer()
    await presence.start()
    presence.online(gateway, session())
    presence.online(child, { ...session(), clientID: '' })
    await presence.settled()
    expect([(await stateOf(gateway)).isOnline, (await stateOf(child)).isOnline]).toEqual([1, 1])
    await presence.stop()
    expect([(await stateOf(gateway)).isOnline, (await stateOf(child)).isOnline]).toEqual([2, 2])
  })

  test('a child is not online without its gateway, however close the two words are', async () => {
    const gateway = await refOf(await makeDevice(world, await makeFullProduct(world, { deviceType: 2 })))
    const child = await refOf(await makeDevice(world, await makeFullProduct(world, { deviceType: 3 })))
    const name = { gateWayProductID: gateway.productID, gateWaydeviceName: gateway.deviceName }
    await world.asAdmin(bindSubDevices, { ...name, list: [child] })
    const { presence, session, told } = anotherServer()
    await presence.start()
    presence.online(gateway, session())
    presence.online(child, { ...session(), clientID: '' })
    presence.offline(gateway, 'gone', world.clock.now())
    await presence.settled()
    expect([(await stateOf(gateway)).isOnline, (await stateOf(child)).isOnline]).toEqual([2, 2])
    // It was there for a moment.
    expect((await stateOf(gateway)).firstLogin).toBeGreaterThan(0)
    expect(told.map((event) => [event.device.deviceName, event.online])).toEqual([
      [gateway.deviceName, true],
      [gateway.deviceName, false],
    ])
    await presence.stop()
  })

  /** @returns the server that vanished while it had the device */
  async function leaveBehind(device: { deviceID: number } & DeviceKey): Promise<string> {
    const dead = randomUUID()
    const now = world.clock.now()
    await world.db
      .insertInto('platform_server')
      .values({ server_id: dead, seen_at: now - 16_000 })
      .execute()
    await world.db
      .insertInto('device_session')
      .values({ device_id: device.deviceID, server_id: dead, client_id: 'c', ip: '', connected_at: now - 60_000 })
      .execute()
    await activate(world, device, true)
    return dead
  }

  test('who has come here from a server that vanished, and is not written down yet, has not left', async () => {
    const device = await refOf(await makeDevice(world, productID))
    const { presence, told, session } = anotherServer()
    await presence.start()
    const dead = await leaveBehind(device)
    presence.online(device, session())
    presence.beatNow()
    const known = world.db.selectFrom('platform_server').select('server_id').where('server_id', '=', dead)
    await expect.poll(() => known.execute()).toEqual([])
    await presence.settled()
    expect(told.map((event) => event.online)).toEqual([true])
    expect(await serversOf(device)).toEqual([presence.serverID])
    await presence.stop()
  })

  test('what a server left behind that vanished is cleared by the next beat of another', async () => {
    const device = await refOf(await makeDevice(world, productID))
    await leaveBehind(device)
    const others = [anotherServer(), anotherServer()]
    await Promise.all(others.map(({ presence }) => presence.start()))
    expect((await stateOf(device)).isOnline).toBe(2)
    expect(await serversOf(device)).toEqual([])
    // Both noticed; the room's own server may have been quicker than either.
    const lines = others.flatMap(({ written }) => written.map((change) => sayKept(change.reason, fill)))
    const all = async () => [...lines, ...(await hubLog(device, 2)).map(({ reason }) => reason)]
    await expect.poll(all).toEqual(['服务器已停止'])
    for (const { presence } of others) await presence.stop()
  })

  test('a server that beats is left alone; one that has the database for itself clears all others', async () => {
    const device = await refOf(await makeDevice(world, productID))
    const living = anotherServer()
    await living.presence.start()
    living.presence.online(device, living.session())
    await living.presence.settled()
    const beside = anotherServer()
    await beside.presence.start()
    expect((await stateOf(device)).isOnline).toBe(1)
    const alone = anotherServer(true)
    await alone.presence.start()
    expect((await stateOf(device)).isOnline).toBe(2)
    expect(alone.told.filter((one) => one.device.deviceID === device.deviceID)).toMatchObject([
      { online: false, reason: kept('服务器已停止') },
    ])
    await Promise.all([living, beside, alone].map(({ presence }) => presence.stop()))
  })

  test('a server that was taken for dead writes its devices again with its next beat', async () => {
    const device = await refOf(await makeDevice(world, productID))
    const slow = anotherServer()
    await slow.presence.start()
    slow.presence.online(device, slow.session())
    await slow.presence.settled()
    await world.db.deleteFrom('device_session').where('device_id', '=', device.deviceID).execute()
    await world.db.updateTable('device').set({ is_online: 2 }).where('device_id', '=', device.deviceID).execute()
    const [before] = await world.db.selectFrom('platform_server').select('server_id').execute()
    expect(before).toBeDefined()
    await world.db.deleteFrom('platform_server').execute()
    await expect.poll(async () => (await stateOf(device)).isOnline).toBe(1)
    expect(await serversOf(device)).toHaveLength(1)
    // Whoever took it for dead has written that its devices are gone.
    await expect
      .poll(() => slow.written)
      .toMatchObject([{ device: { deviceName: device.deviceName }, online: true, again: true }])
    await slow.presence.stop()
    expect((await stateOf(device)).isOnline).toBe(2)
  })
})

test('two apps on one database: the device is online wherever it is, and offline when that app is gone', async () => {
  const config = { databaseUrl: 'shared' }
  const one = await openWorld({ config, steadyMs: 0 })
  const two = await openWorld({ config, databaseUrl: one.url })
  const key = await makeDevice(one, await makeFullProduct(one))
  const first = await connectDevice(one, key)
  await untilOnline(key, 1, two)
  const serverOf = async () =>
    (await two.db.selectFrom('device_session').select('server_id').executeTakeFirst())?.server_id
  const before = await serverOf()
  const second = await connectDevice(two, key)
  await expect.poll(serverOf).not.toBe(before)
  await first.end()
  await second.ask('thing/property', { method: 'report', params: { power: 1 } })
  expect((await stateOf(key, one)).isOnline).toBe(1)
  await two.close()
  // The device may come back to the other server: nobody says yet that it is gone.
  expect((await stateOf(key, one)).isOnline).toBe(1)
  await missOthers(one)
  await untilOnline(key, 2, one)
  // It never left between the two, so there is one line of an end.
  await expect
    .poll(async () => (await linesOf(one, key)).map(({ kind }) => kind).filter((kind) => kind < 3))
    .toEqual([1, 1, 2])
  await one.close()
})
