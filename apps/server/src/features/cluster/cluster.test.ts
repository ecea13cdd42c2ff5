/** The screen of the cluster: two servers on one database, and one that has its database for itself. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { Durability, drainServer, readCluster, restoreServer, ServerState } from '@ithings/contract/features/cluster.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey } from '#testing/mqtt-device.ts'
import { makeRole, makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeFullProduct } from '#uplink/testing/full-product.ts'

const config = { databaseUrl: 'shared', drainSeconds: 1 }
let one: World
let two: World
let productID: string
beforeAll(async () => {
  one = await openWorld({ config })
  two = await openWorld({ config, databaseUrl: one.url })
  productID = await makeFullProduct(one)
})
afterAll(async () => {
  await two.close()
  await one.close()
})

const idOf = async (world: World) => (await world.asAdmin(readCluster)).serverID
const serverOf = async (serverID: string, asked = one) =>
  (await asked.asAdmin(readCluster)).list.find((server) => server.serverID === serverID)
const stateOf = async (serverID: string) => (await serverOf(serverID))?.state
const isOnline = async (key: DeviceKey) => (await one.asAdmin(readDevice, key)).isOnline
const ready = async (world: World) => (await world.app.http.inject('/readyz')).statusCode

/** A server that takes no devices hangs up at once. */
async function hangsUp(world: World): Promise<void> {
  const socket = connect(world.app.mqtt.port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'close')
}

test('both servers show both, with version, number, devices and what they use', async () => {
  const key = await makeDevice(one, productID)
  const device = await connectDevice(two, key)
  const id = await idOf(two)
  await expect.poll(async () => (await serverOf(id))?.devices).toBe(1)
  for (const world of [one, two]) {
    const { list, total } = await world.asAdmin(readCluster)
    expect(total).toBe(2)
    expect(list.map(({ node }) => node)).toEqual([0, 1])
    for (const server of list) {
      expect(server).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+/), state: ServerState.serving })
      expect(server.name).not.toBe('')
      expect(server.memoryBytes).toBeGreaterThan(1_000_000)
      expect(server.databaseConnections).toBe(25)
      expect(Number(server.startedTime)).toBeGreaterThan(1_700_000_000)
    }
  }
  // Each server hears its own notices soon after the start.
  await expect.poll(async () => (await serverOf(id))?.signalLagMs).toBeGreaterThanOrEqual(0)
  await device.end()
})

test('the database tells what it promises, how many connections it has and how far packing is behind', async () => {
  const { database, packBehindSeconds } = await one.asAdmin(readCluster)
  expect(packBehindSeconds).toBeGreaterThanOrEqual(0)
  // The database of the tests does not wait for its disk, and it says so.
  expect(database).toMatchObject({ embedded: false, durability: Durability.unsafe, standbyCount: 0, standbys: [] })
  expect(database.version).toMatch(/^\d+/)
  expect(database.connections).toBeGreaterThan(2)
  expect(database.maxConnections).toBeGreaterThan(database.connections)
})

test('a drained server is not ready, has no devices and lets none in, until it is restored; none of them was away', async () => {
  const id = await idOf(two)
  const keys = await Promise.all(Array.from({ length: 3 }, () => makeDevice(one, productID)))
  const devices = await Promise.all(keys.map((key) => connectDevice(two, key)))
  await expect.poll(() => Promise.all(keys.map(isOnline))).toEqual([1, 1, 1])
  expect(await ready(two)).toBe(200)
  // Asked for at the other server.
  await one.asAdmin(drainServer, { serverID: id })
  expect([ServerState.draining, ServerState.drained]).toContain(await stateOf(id))
  await expect.poll(() => ready(two)).toBe(503)
  await Promise.all(devices.map(({ closed }) => closed))
  await hangsUp(two)
  const back = await Promise.all(keys.map((key) => connectDevice(one, key)))
  await expect.poll(() => stateOf(id)).toBe(ServerState.drained)
  expect(await serverOf(id)).toMatchObject({ devices: 0 })
  expect(await Promise.all(keys.map(isOnline))).toEqual([1, 1, 1])

  await one.asAdmin(restoreServer, { serverID: id })
  await expect.poll(() => ready(two)).toBe(200)
  expect(await stateOf(id)).toBe(ServerState.serving)
  const again = await connectDevice(two, keys[0] as DeviceKey)
  expect((await again.ask('thing/property', { method: 'report', params: { power: 1 } })).code).toBe(200)
  for (const device of [again, ...back]) await device.end()
  await expect.poll(() => Promise.all(keys.map(isOnline))).toEqual([2, 2, 2])
})

test('a device that was sent away and comes back nowhere is offline after three beats', async () => {
  const id = await idOf(two)
  const key = await makeDevice(one, productID)
  const device = await connectDevice(two, key)
  await expect.poll(() => isOnline(key)).toBe(1)
  await one.asAdmin(drainServer, { serverID: id })
  await device.closed
  expect(await isOnline(key)).toBe(1)
  await expect.poll(() => isOnline(key)).toBe(2)
  await one.asAdmin(restoreServer, { serverID: id })
  await expect.poll(() => ready(two)).toBe(200)
})

test('the last server that takes devices is drained only by who says so twice', async () => {
  const [first, second] = [await idOf(one), await idOf(two)]
  await one.asAdmin(drainServer, { serverID: second })
  const refused = await one.call(drainServer, { serverID: first }, { token: one.admin })
  expect(refused).toMatchObject({ status: 400, code: 100006, msg: expect.stringContaining('没有其他服务器') })
  expect(refused.body.field).toBe('force')
  await one.asAdmin(drainServer, { serverID: first, force: true })
  await expect.poll(() => ready(one)).toBe(503)
  for (const serverID of [first, second]) await one.asAdmin(restoreServer, { serverID })
  await expect.poll(() => Promise.all([ready(one), ready(two)])).toEqual([200, 200])
})

test('a server that is not there cannot be drained, and strangers see and do nothing', async () => {
  for (const endpoint of [drainServer, restoreServer]) {
    const unknown = await one.call(endpoint, { serverID: 'nobody' }, { token: one.admin })
    expect(unknown).toMatchObject({ status: 400, code: 100009 })
    expect(await one.call(endpoint, { serverID: '' }, { token: one.admin })).toMatchObject({ code: 100006 })
  }
  expect(await one.call(readCluster)).toMatchObject({ status: 401 })
  const reader = await makeSignedIn(one, { role: await makeRole(one, [readCluster]) })
  expect((await one.call(readCluster, {}, reader)).code).toBe(200)
  for (const endpoint of [drainServer, restoreServer])
    expect(await one.call(endpoint, { serverID: 'x' }, reader)).toMatchObject({ status: 403, code: 100012 })
})

test('a server with its own database has nobody to send its devices to', async () => {
  const alone = await openWorld()
  try {
    const { list, serverID, database } = await alone.asAdmin(readCluster)
    expect(list).toMatchObject([{ serverID, node: 0, state: ServerState.serving }])
    expect(database.embedded).toBe(true)
    const refused = await alone.call(drainServer, { serverID, force: true }, { token: alone.admin })
    expect(refused).toMatchObject({ status: 400, code: 100006, msg: expect.stringContaining('只有一台服务器') })
    expect((await alone.app.http.inject('/readyz')).statusCode).toBe(200)
  } finally {
    await alone.close()
  }
})

test('the same figures are metrics', async () => {
  const device = await connectDevice(one, await makeDevice(one, productID))
  expect((await device.ask('thing/property', { method: 'report', params: { power: 1 } })).code).toBe(200)
  const { database, serverID } = await one.asAdmin(readCluster)
  const named = (await serverOf(serverID))?.version
  const figures = {
    [`ithings_server_info{version="${named}",server="${serverID}"}`]: 1,
    process_start_time_seconds: expect.closeTo(Date.now() / 1000, -4),
    process_resident_memory_bytes: expect.toSatisfy((bytes) => bytes > 1_000_000),
    'ithings_mqtt{what="connections"}': 1,
    'ithings_uplink_messages_total{result="stored"}': expect.toSatisfy((messages) => messages > 0),
    ithings_server_drained: 0,
    ithings_signal_lag_seconds: expect.toSatisfy((seconds) => seconds >= 0 && seconds < 60),
    ithings_pack_behind_seconds: expect.toSatisfy((seconds) => seconds >= 0),
    ithings_database_durability: database.durability,
    'ithings_database_connections{what="open"}': expect.toSatisfy((open) => open > 0),
    'ithings_database_connections{what="most"}': database.maxConnections,
  }
  const lines = (await one.app.http.inject('/metrics')).body.split('\n')
  const figure = (name: string) => Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length))
  expect(Object.fromEntries(Object.keys(figures).map((name) => [name, figure(name)]))).toEqual(figures)
  await device.end()
})
