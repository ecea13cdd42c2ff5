/** A server beside a real mosquitto that somebody else runs: what devices of that one say and hear. */
import { createHmac } from 'node:crypto'
import { getPropertyReply, sendProperty } from '@ithings/contract/features/commands.ts'
import { deleteDevice, readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { bindSubDevices } from '@ithings/contract/features/gateways.ts'
import { AutoRegister, DeviceType, readProduct } from '@ithings/contract/features/products.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { eventually } from '#testing/eventually.ts'
import { givenBroker, type Mosquitto, startMosquitto, withoutMosquitto } from '#testing/mosquitto.ts'
import { connectDevice, type DeviceKey, type TestDevice } from '#testing/mqtt-device.ts'
import { testKeys } from '#testing/test-config.ts'
import { metricOf, readiness, upstreamSettings } from '#testing/upstream.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addedBy, deviceIDOf, linesOf, makeFullProduct, refusalOf } from '#uplink/testing/full-product.ts'

const json = JSON.stringify

describe.skipIf(withoutMosquitto)('beside a mosquitto', () => {
  let mosquitto: Mosquitto
  let world: World
  let productID: string
  const closers: Array<() => Promise<void>> = []
  const connected: TestDevice[] = []

  beforeAll(async () => {
    // A window without limit: what is held back is held back by us.
    mosquitto = await startMosquitto((close) => void closers.push(close), ['max_inflight_messages 0'])
    world = await openWorld({ config: { upstream: upstreamSettings(mosquitto.url) } })
    productID = await makeFullProduct(world)
    await eventually(async () => expect(await readiness(world)).toEqual({ status: 200, upstream: 'up' }))
  })
  afterEach(async () => {
    for (const device of connected.splice(0)) await device.end()
  })
  afterAll(async () => {
    await world.close()
    for (const close of closers) await close()
  })

  async function join(key: DeviceKey, subscribe?: string[], more = {}): Promise<TestDevice> {
    const device = await connectDevice(world, key, { url: mosquitto.url, ...(subscribe && { subscribe }), ...more })
    connected.push(device)
    return device
  }
  const makeJoined = async () => join(await makeDevice(world, productID))
  const isOnline = async (key: DeviceKey) => (await world.asAdmin(readDevice, key)).isOnline
  const report = (level: number, clientToken = `r${level}`) => ({ method: 'report', clientToken, params: { level } })
  const taken = () => metricOf(world, 'ithings_upstream_messages_total{result="taken"}')

  /** Lines of the hub log about coming and going. */
  const passagesOf = async (key: DeviceKey, word: string) =>
    world.db
      .selectFrom('journal')
      .select('content')
      .where('device_id', '=', await deviceIDOf(world, key))
      .where('content', 'like', `%${word}%`)
      .execute()

  /** Nothing can be written into the journal until it is let go. */
  async function holdJournal(): Promise<() => Promise<void>> {
    const other = connect(world.url, () => {}, 2, testKeys)
    const release = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const done = other.db.transaction().execute(async (db) => {
      await sql`lock table journal in access exclusive mode`.execute(db)
      held.resolve()
      await release.promise
    })
    await held.promise
    return async () => {
      release.resolve()
      await done
      await other.close()
    }
  }

  test('a report is stored and answered, and the device is there', async () => {
    const device = await makeJoined()
    expect(await device.ask('thing/property', report(7))).toMatchObject({ method: 'report_reply', code: 200 })
    expect(await addedBy(world, device.key)).toEqual([{ level: 7 }])
    await expect.poll(() => isOnline(device.key)).toBe(1)
    await expect.poll(() => passagesOf(device.key, '上游 MQTT 服务器')).toHaveLength(1)
  })

  test('a command goes down and its reply comes up', async () => {
    const device = await makeJoined()
    await device.ask('thing/property', report(1))
    await expect.poll(() => isOnline(device.key)).toBe(1)
    const called = world.call(sendProperty, { ...device.key, data: json({ power: 1 }) }, { token: world.admin })
    const { clientToken } = await device.next('thing/property', ({ method }) => method === 'control')
    await device.publish('thing/property', { method: 'controlReply', clientToken, code: 200 })
    expect((await called).data).toMatchObject({ code: 200, clientToken })
    const asked = world.call(getPropertyReply, { ...device.key, dataIDs: ['level'] }, { token: world.admin })
    const get = await device.next('thing/property', ({ method }) => method === 'getReport')
    await device.publish('thing/property', {
      method: 'getReportReply',
      clientToken: get.clientToken,
      code: 200,
      params: { level: 9 },
    })
    expect((await asked).code).toBe(200)
  })

  test('what could not be stored is not acknowledged: the broker brings it again, and it is stored once', async () => {
    const device = await makeJoined()
    await device.ask('thing/property', report(1))
    const before = await taken()
    const letGo = await holdJournal()
    // The broker has it, so the device is done with it.
    for (const level of [2, 3, 4]) await device.publish('thing/property', report(level))
    // Each of them at least twice: the first time was given up after 5 s.
    await expect.poll(taken).toBeGreaterThanOrEqual(before + 6)
    await letGo()
    await expect.poll(async () => (await addedBy(world, device.key)).length).toBeGreaterThanOrEqual(4)
    await expect.poll(() => metricOf(world, 'ithings_upstream{what="inflight"}')).toBe(0)
    await device.ask('thing/property', report(5))
    const levels = (await addedBy(world, device.key)).map(({ level }) => level)
    expect(levels.toSorted()).toEqual([1, 2, 3, 4, 5])
  })

  test('a flood waits in the broker, not in our memory, and nothing of it is lost or doubled', async () => {
    const device = await makeJoined()
    await device.ask('thing/property', report(0, 'first'))
    const letGo = await holdJournal()
    const inflight = () => metricOf(world, 'ithings_upstream{what="inflight"}')
    const all = Array.from({ length: 3_000 }, (_, i) => device.publish('thing/property', report(i % 100, `flood-${i}`)))
    await Promise.all(all)
    await expect.poll(inflight).toBeGreaterThan(100)
    expect(await inflight()).toBeLessThanOrEqual(500)
    await letGo()
    const tokens = async () =>
      (await linesOf(world, device.key)).filter((row) => row.adds && row.token !== 'first').map((row) => row.token)
    await expect.poll(async () => (await tokens()).length, { interval: 500 }).toBe(3_000)
    expect(new Set(await tokens()).size).toBe(3_000)
  })

  test('messages that make no sense are dropped or refused, and hold nobody up', async () => {
    const device = await makeJoined()
    const { deviceName } = device.key
    const own = `$thing/up/property/${productID}/${deviceName}`
    await device.publishRaw('$thing/up', '{}')
    await device.publishRaw('$thing/up/property/only-one-name', '{}')
    await device.publishRaw(`$thing/up/property/${productID}/nobody-of-this-name`, json(report(1)))
    await device.publishRaw(own, Buffer.alloc(300 * 1024, 0x7b))
    await device.publishRaw(own, Uint8Array.of(0xff, 0xfe, 0x00))
    await device.publishRaw(own, '')
    await device.publishRaw(own, '{"method":"report","clientToken":{"a":1}}')
    await device.publishRaw(own, json({ method: 'report', clientToken: 'high', params: { level: 1e9 } }))
    expect(await device.next('thing/property', ({ clientToken }) => clientToken === 'high')).not.toMatchObject({
      code: 200,
    })
    expect(await refusalOf(world, device.key)).toMatchObject({ token: 'high' })
    expect(await device.ask('thing/property', report(7))).toMatchObject({ code: 200 })
    for (const why of ['topic', 'unknown', 'size'])
      expect(await metricOf(world, `ithings_upstream_messages_total{result="${why}"}`)).toBeGreaterThan(0)
    // None of them comes again: the next connection brings nothing.
    await expect.poll(() => metricOf(world, 'ithings_upstream{what="inflight"}')).toBe(0)
  })

  test('a gateway speaks for its child, and commands to the child reach it', async () => {
    const gatewayProduct = await makeFullProduct(world, { deviceType: DeviceType.gateway })
    const childProduct = await makeFullProduct(world, { deviceType: DeviceType.subDevice })
    const key = await makeDevice(world, gatewayProduct)
    const child = await makeDevice(world, childProduct)
    await world.asAdmin(bindSubDevices, {
      gateWayProductID: key.productID,
      gateWaydeviceName: key.deviceName,
      list: [child],
    })
    const gateway = await join(key, [
      `$gateway/down/+/${key.productID}/${key.deviceName}`,
      `$thing/down/+/${child.productID}/${child.deviceName}`,
    ])
    expect(await gateway.ask('gateway/status', { method: 'online', payload: { devices: [child] } })).toMatchObject({
      code: 200,
    })
    expect(await gateway.ask('thing/property', report(3), child)).toMatchObject({ code: 200 })
    expect(await addedBy(world, child)).toEqual([{ level: 3 }])
    await expect.poll(() => isOnline(child)).toBe(1)
    expect(await isOnline(key)).toBe(1)
    const called = world.call(sendProperty, { ...child, data: json({ power: 1 }) }, { token: world.admin })
    const { clientToken } = await gateway.next('thing/property', ({ method }) => method === 'control', child)
    await gateway.publish('thing/property', { method: 'controlReply', clientToken, code: 200 }, { of: child })
    expect((await called).code).toBe(200)
  })

  test('a device without a secret registers by way of it', async () => {
    const product = await makeFullProduct(world, { autoRegister: AutoRegister.create })
    const { secret } = await world.asAdmin(readProduct, { productID: product })
    const key = { productID: product, deviceName: 'newcomer' }
    const device = await join(key, [`$ext/down/register/${product}/newcomer`], {
      clientId: `register&${product}&newcomer`,
    })
    const timestamp = Math.floor(world.clock.now() / 1000)
    const text = `deviceName=newcomer&nonce=123&productId=${product}&timestamp=${timestamp}`
    const signature = Buffer.from(createHmac('sha1', secret).update(text).digest('hex')).toString('base64')
    const wish = { nonce: 123, timestamp, signature }
    const refused = { ...wish, signature: 'wrong' }
    expect(await device.ask('ext/register', { msgToken: 'a', payload: refused })).toMatchObject({ code: 100006 })
    expect(await device.ask('ext/register', { msgToken: 'b', payload: wish })).toMatchObject({
      code: 200,
      data: { len: 88 },
    })
  })

  test('a disabled device is refused and offline, a deleted one is nobody', async () => {
    const device = await makeJoined()
    await device.ask('thing/property', report(1))
    await expect.poll(() => isOnline(device.key)).toBe(1)
    await world.asAdmin(updateDevice, { ...device.key, isEnable: 2 })
    await expect.poll(() => isOnline(device.key)).toBe(2)
    await device.publish('thing/property', report(2))
    await expect.poll(async () => (await refusalOf(world, device.key))?.code).toBe(100021)
    expect(await addedBy(world, device.key)).toEqual([{ level: 1 }])
    const unknown = () => metricOf(world, 'ithings_upstream_messages_total{result="unknown"}')
    await world.asAdmin(deleteDevice, device.key)
    const before = await unknown()
    await device.publish('thing/property', report(3))
    await expect.poll(unknown).toBe(before + 1)
  })

  test('a device that connects to the platform itself is spoken to there', async () => {
    const away = await makeJoined()
    await away.ask('thing/property', report(1))
    await away.end()
    const direct = await connectDevice(world, away.key)
    connected.push(direct)
    await expect.poll(() => isOnline(away.key)).toBe(1)
    const called = world.call(sendProperty, { ...away.key, data: json({ power: 1 }) }, { token: world.admin })
    const { clientToken } = await direct.next('thing/property', ({ method }) => method === 'control')
    await direct.publish('thing/property', { method: 'controlReply', clientToken, code: 200 })
    expect((await called).code).toBe(200)
    await direct.end()
    await expect.poll(() => isOnline(away.key)).toBe(2)
  })

  test.skipIf(givenBroker)(
    'while the broker is away the server says so; when it is back everything goes on',
    async () => {
      const device = await makeJoined()
      await device.ask('thing/property', report(1))
      await expect.poll(() => isOnline(device.key)).toBe(1)
      // The broker keeps it and tells it again to whoever subscribes; without token and time nothing else marks it as old.
      const kept = json({ method: 'report', params: { level: 77 } })
      const own = `$thing/up/property/${productID}/${device.key.deviceName}`
      await device.client.publishAsync(own, kept, { qos: 1, retain: true })
      await mosquitto.stop()
      await expect.poll(async () => (await readiness(world)).status).toBe(503)
      expect((await readiness(world)).upstream).toMatch(/^down: the upstream MQTT server: /)
      const failed = await world.call(sendProperty, { ...device.key, data: json({ power: 1 }) }, { token: world.admin })
      expect(failed).toMatchObject({ code: 100007, msg: '上游 MQTT 服务器未连接' })
      await mosquitto.startAgain()
      await expect.poll(() => readiness(world)).toEqual({ status: 200, upstream: 'up' })
      const again = await join(device.key)
      expect(await again.ask('thing/property', report(2))).toMatchObject({ code: 200 })
      expect((await addedBy(world, device.key)).map(({ level }) => level)).toEqual([1, 77, 2])
      // That nobody could be heard is not their silence.
      expect(await isOnline(device.key)).toBe(1)
    },
  )

  test('what was said while no server ran is stored by the next one, in its order, and nobody was away', async () => {
    const device = await makeJoined()
    await device.ask('thing/property', report(1))
    await expect.poll(() => isOnline(device.key)).toBe(1)
    const { url } = world
    const first = world
    await first.app.close()
    for (const level of [2, 3, 4]) await device.publish('thing/property', report(level))
    world = await openWorld({ databaseUrl: url, config: { upstream: upstreamSettings(mosquitto.url) } })
    closers.unshift(async () => void (await first.close()))
    expect(await isOnline(device.key)).toBe(1)
    await device.next('thing/property', ({ clientToken }) => clientToken === 'r4')
    expect((await addedBy(world, device.key)).map(({ level }) => level)).toEqual([1, 2, 3, 4])
    expect(await passagesOf(device.key, '服务器已停止')).toEqual([])
  })

  test('who is silent for long is offline, whoever speaks again is back', async () => {
    const device = await makeJoined()
    await device.ask('thing/property', report(1))
    await expect.poll(() => isOnline(device.key)).toBe(1)
    world.clock.advance(601_000)
    await expect.poll(() => isOnline(device.key)).toBe(2)
    await expect.poll(() => passagesOf(device.key, '分钟没有消息')).toHaveLength(1)
    await device.ask('thing/property', report(2))
    await expect.poll(() => isOnline(device.key)).toBe(1)
  })
})
