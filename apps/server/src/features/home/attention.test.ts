/** What needs attention and what is running, on a real database with real devices. */
import { hourMs, minuteMs } from '@ithings/contract/durations.ts'
import { deleteDevice } from '@ithings/contract/features/devices/info.ts'
import { readHomeAttention, readHomeSummary } from '@ithings/contract/features/home.ts'
import { createConfig, pushAllConfig, pushConfig } from '@ithings/contract/features/remote-config.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activate, makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { openOtaRoom } from '#features/ota/testing/ota-room.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeFullProduct } from '#uplink/testing/full-product.ts'
import { watchAway } from './work/watch-away.ts'
import { watchSilent } from './work/watch-silent.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ config: { databaseUrl: 'given', tokenLifeSeconds: 30 * 86_400 } })
})
afterAll(() => world.close())

const noteFound = (name: string, found: number) =>
  world.db.updateTable('home_work').set({ found, at: world.clock.now() }).where('name', '=', name).execute()
/** Nobody was away so far, and the server itself does not look for a while. */
const forgetAway = async () => {
  await noteFound('away', 0)
  await world.db.deleteFrom('home_away').execute()
}
const counted = async (kind: 'upgrade' | 'config') => (await world.asAdmin(readHomeAttention, {})).counts[kind]
const listed = async (kind: 'offline' | 'silent' | 'upgrade' | 'config') =>
  (await world.asAdmin(readHomeAttention, { kind })).list

test('a device is long offline a day after it left, not after it came', async () => {
  const key = await makeDevice(world, await makeProduct(world))
  await activate(world, key, false)
  const since = world.clock.now()
  await world.db
    .updateTable('device')
    .set({ last_login: new Date(since - 72 * hourMs) })
    .where('device_name', '=', key.deviceName)
    .execute()
  await forgetAway()
  // Somebody looked a minute ago and it was still there.
  await watchAway(world.db, since, since - minuteMs)
  expect(await listed('offline')).toEqual([])
  expect((await watchAway(world.db, since + 23 * hourMs, since + 22 * hourMs)).found).toBe(0)
  expect((await watchAway(world.db, since + 24 * hourMs, since + 23 * hourMs)).found).toBe(1)
  await noteFound('away', 1)
  world.clock.advance(25 * hourMs)
  const { counts, list } = await world.asAdmin(readHomeAttention, {})
  expect(counts.offline).toBe(1)
  expect(list).toMatchObject([{ kind: 'offline', ...key, since: since - minuteMs, text: '' }])
  await activate(world, key, true)
  expect(await listed('offline')).toEqual([])
  await watchAway(world.db, world.clock.now(), world.clock.now())
  expect(await world.db.selectFrom('home_away').selectAll().execute()).toEqual([])
  await activate(world, key, false)
})

test('after a time without any server a device is offline since it was seen last', async () => {
  const key = await makeDevice(world, await makeProduct(world))
  await activate(world, key, false)
  const now = world.clock.now()
  const signedIn = now - 50 * hourMs
  await world.db
    .updateTable('device')
    .set({ last_login: new Date(signedIn) })
    .where('device_name', '=', key.deviceName)
    .execute()
  await forgetAway()
  await watchAway(world.db, now, now - 60 * hourMs)
  expect(await listed('offline')).toContainEqual(expect.objectContaining({ ...key, since: signedIn }))
})

test('an online device is silent half an hour after its last message of any kind', async () => {
  const productID = await makeFullProduct(world)
  const key = await makeDevice(world, productID)
  const device = await connectDevice(world, key)
  await device.ask('thing/property', { method: 'report', params: { temp: 20 } })
  const silentAt = async (now: number) => {
    await watchSilent(world.db, now)
    const rows = await world.db
      .selectFrom('home_silent')
      .innerJoin('device', 'device.device_id', 'home_silent.device_id')
      .select('device_name')
      .execute()
    return rows.some((row) => row.device_name === key.deviceName)
  }
  const flushed = async () =>
    (await world.db.selectFrom('device_latest').select('flushed_at').executeTakeFirst())?.flushed_at ?? 0
  await expect.poll(flushed).toBeGreaterThan(0)
  const spoke = await flushed()
  await noteFound('silent', 1)
  expect(await silentAt(spoke + 29 * minuteMs)).toBe(false)
  expect(await silentAt(spoke + 31 * minuteMs)).toBe(true)
  expect(await listed('silent')).toMatchObject([{ kind: 'silent', ...key }])
  // An event carries no value, but it is a sign of life.
  world.clock.advance(40 * minuteMs)
  await device.ask('thing/event', {
    method: 'eventPost',
    eventID: 'overheat',
    type: 'alert',
    params: { temp: 90, note: 'x' },
  })
  expect(await silentAt(world.clock.now())).toBe(false)
  await device.end()
})

test('failed upgrades are listed with their reason until a later upgrade takes care of them', async () => {
  const room = await openOtaRoom(world)
  const device = await room.device()
  const { taskUid } = await room.task()
  await device.upgrade()
  const running = (await world.asAdmin(readHomeSummary)).running
  expect(running).toMatchObject({ ota: 1, task: 0, config: 0 })
  expect(running.list).toMatchObject([
    { kind: 'ota', taskUid, productID: room.productID, name: '固件 2.0.0 2.0.0', total: 1, sent: 1, paused: false },
  ])
  await device.step(-4, { desc: '校验不一致' })
  await room.untilStatus(taskUid, device.key.deviceName, 402)
  await expect.poll(async () => (await world.asAdmin(readHomeAttention, {})).counts.upgrade).toBe(1)
  const [failed] = await listed('upgrade')
  expect(failed).toMatchObject({ kind: 'upgrade', ...device.key, taskUid })
  expect(failed?.text).not.toBe('')
  await expect.poll(async () => (await world.asAdmin(readHomeSummary)).running.ota).toBe(0)
  await room.task()
  await expect.poll(() => listed('upgrade')).toEqual([])
  expect((await world.asAdmin(readHomeAttention, {})).counts.upgrade).toBe(0)
  await room.close()
})

test('a configuration that waits for its device is listed until it is delivered', async () => {
  const productID = await makeProduct(world)
  const key = await makeDevice(world, productID)
  await world.asAdmin(createConfig, { productID, content: '{"rate":5}' })
  await world.asAdmin(pushAllConfig, { productID })
  await expect
    .poll(() => listed('config'))
    .toMatchObject([{ kind: 'config', ...key, text: expect.stringContaining('离线') }])
  await expect.poll(async () => (await world.asAdmin(readHomeAttention, {})).counts.config).toBe(1)
  expect((await world.asAdmin(readHomeSummary)).running).toMatchObject({ config: 1 })
  const device = await connectDevice(world, key)
  await expect.poll(() => listed('config')).toEqual([])
  await expect.poll(async () => (await world.asAdmin(readHomeAttention, {})).counts.config).toBe(0)
  await device.end()
})

test('a device that failed twice is there once, and not any more when it is deleted', async () => {
  const room = await openOtaRoom(world)
  const device = await room.device()
  const fail = async () => {
    const { taskUid } = await room.task()
    await device.upgrade()
    await device.step(-4, { desc: '校验不一致' })
    await room.untilStatus(taskUid, device.key.deviceName, 402)
    return taskUid
  }
  await fail()
  const taskUid = await fail()
  await expect.poll(() => listed('upgrade')).toMatchObject([{ ...device.key, taskUid }])
  await expect.poll(() => counted('upgrade')).toBe(1)
  await room.close()
  await world.asAdmin(deleteDevice, device.key)
  expect(await listed('upgrade')).toEqual([])
  expect(await counted('upgrade')).toBe(0)
})

test('a configuration is missing once for a device of two pushes, until it has it or is gone', async () => {
  const productID = await makeProduct(world)
  const [one, two] = [await makeDevice(world, productID), await makeDevice(world, productID)]
  const { id } = await world.asAdmin(createConfig, { productID, content: '{"rate":5}' })
  await world.asAdmin(pushConfig, { productID, deviceNames: [one.deviceName] })
  await world.asAdmin(pushConfig, { productID, deviceNames: [one.deviceName, two.deviceName] })
  const names = async () => (await listed('config')).map(({ deviceName }) => deviceName).toSorted()
  await expect.poll(names).toEqual([one.deviceName, two.deviceName].toSorted())
  await expect.poll(() => counted('config')).toBe(2)
  await world.asAdmin(deleteDevice, two)
  expect(await names()).toEqual([one.deviceName])
  expect(await counted('config')).toBe(1)
  // By a task, or because the device asked for it itself.
  await world.db
    .insertInto('device_config')
    .columns(['device_id', 'config_id', 'delivered_at'])
    .expression((eb) =>
      eb
        .selectFrom('device')
        .select(['device_id', eb.val(id).as('config_id'), eb.val(world.clock.now()).as('delivered_at')])
        .where('device_name', '=', one.deviceName),
    )
    .execute()
  expect(await names()).toEqual([])
  expect(await counted('config')).toBe(0)
})

test('pages of a kind follow each other, also among devices that left in one moment', async () => {
  const productID = await makeProduct(world)
  const keys = [
    await makeDevice(world, productID),
    await makeDevice(world, productID),
    await makeDevice(world, productID),
  ]
  for (const key of keys) await activate(world, key, false)
  await forgetAway()
  const since = world.clock.now() - 48 * hourMs
  await sql`insert into home_away (device_id, since) select device_id, ${since}::bigint from device
    where product_id = ${productID}`.execute(world.db)
  const page = async (nr: number) =>
    (await world.asAdmin(readHomeAttention, { kind: 'offline', limit: 2, page: nr })).list
  expect(await page(1)).toHaveLength(2)
  expect(await page(3)).toEqual([])
  const names = [...(await page(1)), ...(await page(2))].map(({ deviceName }) => deviceName)
  expect(names.toSorted()).toEqual(keys.map(({ deviceName }) => deviceName).toSorted())
})

test('no kind hides another: a list of all has some of each', async () => {
  const { list } = await world.asAdmin(readHomeAttention, { limit: 1 })
  expect(list).toHaveLength(1)
  const refused = await world.call(readHomeAttention, { kind: 'strange' }, { token: world.admin })
  expect(refused.code).toBe(100006)
})
