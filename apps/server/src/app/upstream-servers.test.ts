/** Several servers beside one real mosquitto: who hears which device, and what happens when one of them dies. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as path } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCluster } from '@ithings/contract/features/cluster.ts'
import { sendProperty } from '@ithings/contract/features/commands.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { bindSubDevices } from '@ithings/contract/features/gateways.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { partOf } from '#ports/upstream.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '#testing/mosquitto.ts'
import { connectDevice, type DeviceKey, type TestDevice } from '#testing/mqtt-device.ts'
import { adminPassword, testKeys } from '#testing/test-config.ts'
import { metricOf, readiness, upstreamSettings } from '#testing/upstream.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addedBy, makeFullProduct } from '#uplink/testing/full-product.ts'

const json = JSON.stringify
const main = fileURLToPath(new URL('../main.ts', import.meta.url))

describe.skipIf(withoutMosquitto)('several servers beside a mosquitto', () => {
  let mosquitto: Mosquitto
  let first: World
  let productID: string
  let closers: Array<() => Promise<void>>

  beforeEach(async () => {
    closers = []
    mosquitto = await startMosquitto((close) => void closers.push(close))
  })
  afterEach(async () => {
    for (const close of closers.toReversed()) await close()
  })

  async function open(
    upstream: ReturnType<typeof upstreamSettings> | undefined,
    databaseUrl?: string,
    said?: (text: string) => void,
  ): Promise<World> {
    const world = await openWorld({
      config: { databaseUrl: 'given', upstream },
      ...(said && { said }),
      ...(databaseUrl !== undefined && { databaseUrl }),
    })
    closers.push(() => world.close())
    return world
  }
  async function join(key: DeviceKey): Promise<TestDevice> {
    const device = await connectDevice(first, key, { url: mosquitto.url })
    closers.push(() => device.end())
    return device
  }
  const report = (level: number, clientToken = `r${level}`) => ({ method: 'report', clientToken, params: { level } })
  const parts = (world: World) => metricOf(world, 'ithings_upstream{what="parts"}')
  const ready = (world: World) => expect.poll(() => readiness(world)).toEqual({ status: 200, upstream: 'up' })
  const levelsOf = async (key: DeviceKey) => (await addedBy(first, key)).map(({ level }) => level)

  /** One device in each of two parts. */
  async function makePair(): Promise<[TestDevice, TestDevice]> {
    const found = new Map<number, DeviceKey>()
    while (found.size < 2) {
      const key = await makeDevice(first, productID)
      found.set(partOf(`${key.productID}/${key.deviceName}`, 2), key)
    }
    return [await join(found.get(0) as DeviceKey), await join(found.get(1) as DeviceKey)]
  }

  test('two share the devices, keep their order, answer commands of each other, and one takes over', async () => {
    const settings = upstreamSettings(mosquitto.url, { parts: 2 })
    first = await open(settings)
    productID = await makeFullProduct(first)
    await expect.poll(() => parts(first)).toBe(2)
    const second = await open(settings, first.url)
    await expect.poll(async () => [await parts(first), await parts(second)]).toEqual([1, 1])
    await ready(first)
    await ready(second)

    const pair = await makePair()
    const many = Array.from({ length: 100 }, (_, i) => i)
    await Promise.all(pair.flatMap((device) => many.map((i) => device.publish('thing/property', report(i)))))
    for (const { key } of pair) await expect.poll(async () => (await levelsOf(key)).length).toBe(100)
    for (const { key } of pair) expect(await levelsOf(key)).toEqual(many)
    // Each of them has stored one of the two.
    const stored = (world: World) => metricOf(world, 'ithings_upstream_messages_total{result="taken"}')
    expect([await stored(first), await stored(second)]).toEqual([100, 100])

    // One of the two devices is heard by the other server than the one that asks.
    for (const device of pair) {
      await expect.poll(async () => (await first.asAdmin(readDevice, device.key)).isOnline).toBe(1)
      const called = first.call(sendProperty, { ...device.key, data: json({ power: 1 }) }, { token: first.admin })
      const { clientToken } = await device.next('thing/property', ({ method }) => method === 'control')
      await device.publish('thing/property', { method: 'controlReply', clientToken, code: 200, msg: 'on' })
      expect((await called).data).toMatchObject({ code: 200, msg: 'on' })
    }

    await second.app.close()
    for (const device of pair) await device.publish('thing/property', report(50, 'last'))
    for (const device of pair) await device.next('thing/property', ({ clientToken }) => clientToken === 'last')
    expect(await parts(first)).toBe(2)
    for (const { key } of pair) expect((await first.asAdmin(readDevice, key)).isOnline).toBe(1)
  })

  test('a gateway and its child may be heard by different servers, also after a server lost its claim', async () => {
    const settings = upstreamSettings(mosquitto.url, { parts: 2 })
    first = await open(settings)
    const second = await open(settings, first.url)
    await expect.poll(async () => [await parts(first), await parts(second)]).toEqual([1, 1])
    await ready(first)
    await ready(second)
    const products = [DeviceType.gateway, DeviceType.subDevice].map((deviceType) =>
      makeFullProduct(first, { deviceType }),
    )
    const [gatewayProduct = '', childProduct = ''] = await Promise.all(products)
    const inPart = async (product: string, part: number): Promise<DeviceKey> => {
      const key = await makeDevice(first, product)
      return partOf(`${key.productID}/${key.deviceName}`, 2) === part ? key : inPart(product, part)
    }
    const key = await inPart(gatewayProduct, 0)
    const child = await inPart(childProduct, 1)
    const of = { gateWayProductID: key.productID, gateWaydeviceName: key.deviceName }
    await first.asAdmin(bindSubDevices, { ...of, list: [child] })
    const gateway = await connectDevice(first, key, {
      url: mosquitto.url,
      subscribe: [key, child].flatMap((one) =>
        ['gateway', 'thing'].map((head) => `$${head}/down/+/${one.productID}/${one.deviceName}`),
      ),
    })
    closers.push(() => gateway.end())
    const online = { method: 'online', payload: { devices: [child] } }
    expect(await gateway.ask('gateway/status', online)).toMatchObject({ code: 200 })
    const isOnline = async (one: DeviceKey) => (await second.asAdmin(readDevice, one)).isOnline

    for (const level of [1, 2]) {
      expect(await gateway.ask('thing/property', report(level), child)).toMatchObject({ code: 200 })
      for (const world of [first, second]) {
        const data = json({ power: level % 2 })
        const called = world.call(sendProperty, { ...child, data }, { token: first.admin })
        const { clientToken } = await gateway.next('thing/property', ({ method }) => method === 'control', child)
        await gateway.publish('thing/property', { method: 'controlReply', clientToken, code: 200 }, { of: child })
        expect((await called).code).toBe(200)
      }
      expect([await isOnline(key), await isOnline(child)]).toEqual([1, 1])
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'ithings-core claims' and datname = current_database()`.execute(first.db)
      await expect.poll(async () => (await parts(first)) + (await parts(second))).toBe(2)
      await ready(first)
      await ready(second)
    }
    expect((await addedBy(first, child)).filter((one) => 'level' in one)).toEqual([{ level: 1 }, { level: 2 }])
  })

  test('a server that counts the parts otherwise takes none, and says so, until those who have them are gone', async () => {
    first = await open(upstreamSettings(mosquitto.url, { parts: 2 }))
    productID = await makeFullProduct(first)
    await expect.poll(() => parts(first)).toBe(2)
    await ready(first)
    const said: string[] = []
    const second = await open(upstreamSettings(mosquitto.url, { parts: 3 }), first.url, (text) => said.push(text))
    expect(said).toContainEqual(
      expect.stringMatching(/^UPSTREAM_MQTT_PARTS is 3 here and 2 on server 0 \(.+\): whoever hears the MQTT server/),
    )
    await expect
      .poll(() => readiness(second))
      .toEqual({ status: 503, upstream: expect.stringContaining('with other UPSTREAM_MQTT settings') })
    const pair = await makePair()
    for (const level of [1, 2, 3])
      for (const device of pair) {
        await device.publish('thing/property', report(level))
        await device.next('thing/property', ({ clientToken }) => clientToken === `r${level}`)
      }
    for (const { key } of pair) expect(await levelsOf(key)).toEqual([1, 2, 3])
    // One that takes no part takes nobody's share either.
    expect([await parts(first), await parts(second)]).toEqual([2, 0])
    expect((await second.asAdmin(readCluster)).disagreements).toMatchObject([{ setting: 'UPSTREAM_MQTT_PARTS' }])

    await first.app.close()
    await expect.poll(() => parts(second)).toBe(3)
    await ready(second)
    for (const device of pair) {
      await device.publish('thing/property', report(4))
      await device.next('thing/property', ({ clientToken }) => clientToken === 'r4')
    }
  })

  /** The real program. */
  async function startProgram(databaseUrl: string): Promise<ChildProcess> {
    const folder = await mkdtemp(path(tmpdir(), 'ithings-upstream-'))
    const child = spawn(process.execPath, [main], {
      stdio: 'ignore',
      env: {
        ...process.env,
        LC_ALL: 'C',
        DATABASE_URL: databaseUrl,
        DATA_DIR: folder,
        SECRET_KEY: '07'.repeat(32),
        ADMIN_PASSWORD: adminPassword,
        HOST: '127.0.0.1',
        PORT: '0',
        MQTT_PORT: '0',
        UPSTREAM_MQTT_URL: mosquitto.url,
      },
    })
    closers.push(async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await rm(folder, { recursive: true })
    })
    return child
  }

  test('a server that is killed between receipt and commit loses nothing: the next one stores it once', async () => {
    first = await open(undefined)
    productID = await makeFullProduct(first)
    const device = await join(await makeDevice(first, productID))
    const doomed = await startProgram(first.url)
    // Until it has subscribed there is nobody whom mosquitto keeps anything for.
    await expect
      .poll(
        async () => {
          await device.publish('thing/property', report(1))
          return (await levelsOf(device.key)).length
        },
        { interval: 500 },
      )
      .toBeGreaterThan(0)
    const before = await levelsOf(device.key)

    const other = connect(first.url, () => {}, 2, testKeys)
    await other.db.transaction().execute(async (db) => {
      await sql`lock table journal in access exclusive mode`.execute(db)
      for (const level of [2, 3, 4, 5]) await device.publish('thing/property', report(level))
      // They wait in the database for our lock.
      await expect
        .poll(async () => {
          const waiting = await sql`select from pg_locks join pg_database on oid = database
            where not granted and datname = current_database()`.execute(first.db)
          return waiting.rows.length
        })
        .toBeGreaterThan(0)
      doomed.kill('SIGKILL')
      await once(doomed, 'exit')
    })
    await other.close()
    await device.publish('thing/property', report(6))

    const second = await open(upstreamSettings(mosquitto.url), first.url)
    await ready(second)
    await device.next('thing/property', ({ clientToken }) => clientToken === 'r6')
    expect(await levelsOf(device.key)).toEqual([...before, 2, 3, 4, 5, 6])
  })
})
