/** A device that moves between servers on one database: which of its connections counts, and who says that it is gone. */
import { sendProperty } from '@ithings/contract/features/commands.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDevice, credentialsOf, type DeviceKey } from '#testing/mqtt-device.ts'
import { metricOf } from '#testing/upstream.ts'
import { openWorld, type World } from '#testing/world.ts'
import { deviceIDOf, linesOf, makeFullProduct } from '#uplink/testing/full-product.ts'
import { makeDevice } from './testing/make-devices.ts'

const config = { databaseUrl: 'shared' }
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

const isOnline = async (key: DeviceKey) => (await one.asAdmin(readDevice, key)).isOnline
const sessionOf = async (key: DeviceKey) =>
  one.db
    .selectFrom('device_session')
    .selectAll()
    .where('device_id', '=', await deviceIDOf(one, key))
    .executeTakeFirst()

test('the older connection ends, commands of both servers reach the newer one, and the device never was away', async () => {
  const key = await makeDevice(one, productID)
  const old = await connectDevice(one, key)
  await expect.poll(async () => (await sessionOf(key))?.epoch).toBeGreaterThan(0)
  const before = await sessionOf(key)
  // As a device whose line has broken without a word: it does not close what it had.
  const device = await connectDevice(two, key)
  await old.closed
  expect((await sessionOf(key))?.server_id).not.toBe(before?.server_id)
  for (const [index, world] of [one, two].entries()) {
    const told = device.next('thing/property', ({ method }) => method === 'control')
    const answer = world.asAdmin(sendProperty, { ...key, data: JSON.stringify({ power: index }), isAsync: false })
    const { clientToken } = await told
    await device.publish('thing/property', { method: 'controlReply', clientToken, code: 200, msg: '' })
    expect(await answer).toMatchObject({ code: 200 })
  }
  expect(await isOnline(key)).toBe(1)
  await device.end()
  await expect.poll(() => isOnline(key)).toBe(2)
})

test('when the older connection has closed, its server has let go of it, and the log knows of no end', async () => {
  const key = await makeDevice(one, productID)
  const connections = async (world: World) => metricOf(world, 'ithings_mqtt{what="connections"}')
  const before = await connections(one)
  const old = await connectDevice(one, key)
  await expect.poll(async () => (await sessionOf(key))?.epoch).toBeGreaterThan(0)
  const device = await connectDevice(two, key)
  await old.closed
  await expect.poll(() => connections(one)).toBe(before)
  const ends = async () => (await linesOf(one, key)).filter(({ kind }) => kind === 2).map(({ content }) => content)
  expect((await device.ask('thing/property', { method: 'report', params: { power: 1 } })).code).toBe(200)
  expect((await sessionOf(key))?.epoch).toBeGreaterThan(0)
  expect([await isOnline(key), await ends()]).toEqual([1, []])
  await device.end()
  await expect.poll(() => isOnline(key)).toBe(2)
  await expect.poll(ends).toHaveLength(1)
})

/** ms by the clock of the database. */
async function databaseNow(): Promise<number> {
  const { rows } = await sql<{ at: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as at`.execute(
    one.db,
  )
  return rows[0]?.at ?? Number.NaN
}

/** When it connected, as everybody reads it. */
async function timesOf(key: DeviceKey): Promise<number[]> {
  const device = one.db.selectFrom('device').select(['first_login', 'last_login'])
  const row = await device.where('device_id', '=', await deviceIDOf(one, key)).executeTakeFirstOrThrow()
  const times = [row.first_login?.getTime(), row.last_login?.getTime(), (await sessionOf(key))?.connected_at]
  return times.map((time) => time ?? Number.NaN)
}

test.each([
  ['behind', -20_000],
  ['ahead', 20_000],
])('a server whose clock is %s holds the device that moved to it, with the times of the database', async (_, shift) => {
  two.clock.advance(shift)
  try {
    const key = await makeDevice(one, productID)
    const credentials = await credentialsOf(one, key)
    const begun = await databaseNow()
    // What is rounded to a millisecond on the way may be that much earlier.
    const expectTimes = async () => {
      const ended = await databaseNow()
      for (const time of await timesOf(key)) {
        expect(time).toBeGreaterThanOrEqual(begun - 100)
        expect(time).toBeLessThanOrEqual(ended + 100)
      }
    }
    const old = await connectDevice(one, key, { ...credentials })
    await expect.poll(() => isOnline(key)).toBe(1)
    await expectTimes()
    const before = await sessionOf(key)
    const device = await connectDevice(two, key, { ...credentials })
    await old.closed
    await device.quiet()
    expect((await sessionOf(key))?.server_id).not.toBe(before?.server_id)
    expect(await isOnline(key)).toBe(1)
    await expectTimes()
    await device.end()
    await expect.poll(() => isOnline(key)).toBe(2)
    // Back to the other one, whose clock says an earlier or a later time.
    const back = await connectDevice(one, key, { ...credentials })
    await expect.poll(() => isOnline(key)).toBe(1)
    await expectTimes()
    await back.end()
    await expect.poll(() => isOnline(key)).toBe(2)
  } finally {
    two.clock.advance(-shift)
  }
})

test('a server that is drained says so, sends its devices away one by one, and none of them was ever away', async () => {
  const leaving = await openWorld({ config: { ...config, drainSeconds: 1 }, databaseUrl: one.url })
  const keys = await Promise.all(Array.from({ length: 5 }, () => makeDevice(one, productID)))
  const devices = await Promise.all(keys.map((key) => connectDevice(leaving, key)))
  await expect.poll(() => Promise.all(keys.map(isOnline))).toEqual(keys.map(() => 1))
  const ready = async () => (await leaving.app.http.inject('/readyz')).statusCode
  expect(await ready()).toBe(200)
  const drained = leaving.app.drain()
  await expect.poll(ready).toBe(503)
  const back = await Promise.all(
    devices.map(({ closed }, i) => closed.then(() => connectDevice(two, keys[i] as DeviceKey))),
  )
  await drained
  await leaving.close()
  expect(await Promise.all(keys.map(isOnline))).toEqual(keys.map(() => 1))
  for (const device of back)
    expect((await device.ask('thing/property', { method: 'report', params: { power: 1 } })).code).toBe(200)
  for (const device of back) await device.end()
  await expect.poll(() => Promise.all(keys.map(isOnline))).toEqual(keys.map(() => 2))
})
