/** The large screen on a real database: figures, boundaries, several servers. */
import { dayMs, minuteMs } from '@ithings/contract/durations.ts'
import { homeTopic, readFirstSteps, readHomeSummary, readHomeTrend } from '@ithings/contract/features/home.ts'
import { updateSettings } from '@ithings/contract/features/settings.ts'
import { dayStart, lastDays, localZone } from '@ithings/contract/zone-days.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import { activate, makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import type { JournalEntry } from '#ports/journal.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { makeRole, makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeFullProduct } from '#uplink/testing/full-product.ts'
import { addAlarm, addLog } from './testing/home-room.ts'
import { countAlarms } from './work/count-alarms.ts'
import { countMessages } from './work/count-messages.ts'
import { doHomeWork } from './work/home-work.ts'
import { dropOldFigures } from './work/housekeeping.ts'
import { takeSample } from './work/take-sample.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ config: { databaseUrl: 'given' } })
})
afterAll(() => world.close())

const nothing = { total: 0, online: 0, offline: 0, inactive: 0 }

test('an empty platform has a screen full of zeros, no yesterday and no step done', async () => {
  const summary = await world.asAdmin(readHomeSummary)
  expect(summary).toMatchObject({ products: 0, cities: 0, scenes: 0, totals: nothing, change: null, byProduct: [] })
  expect(summary.alarms).toMatchObject({ open: [0, 0, 0, 0, 0], today: 0, handledToday: 0, latest: [], top: [] })
  expect(summary.alarms.days).toHaveLength(7)
  expect(summary.running).toEqual({ ota: 0, task: 0, config: 0, list: [] })
  expect(await world.asAdmin(readFirstSteps)).toEqual({
    product: false,
    model: false,
    device: false,
    connected: false,
    value: false,
    productID: '',
    deviceName: '',
    demo: false,
  })
})

test('first steps are ticked off one by one by what really happens', async () => {
  const productID = await makeProduct(world)
  expect(await world.asAdmin(readFirstSteps)).toMatchObject({ product: true, model: false, device: false, productID })
  const modelled = await makeFullProduct(world)
  expect(await world.asAdmin(readFirstSteps)).toMatchObject({ model: true, device: false, productID: modelled })
  const key = await makeDevice(world, modelled)
  const made = await world.asAdmin(readFirstSteps)
  expect(made).toMatchObject({ device: true, connected: false, value: false, ...key })
  const device = await connectDevice(world, key)
  await expect.poll(() => world.asAdmin(readFirstSteps)).toMatchObject({ connected: true, value: false })
  await device.ask('thing/property', { method: 'report', params: { temp: 21.5 } })
  await expect.poll(() => world.asAdmin(readFirstSteps)).toMatchObject({ value: true })
  // The message was counted too, by the minute and once.
  await expect.poll(async () => (await world.asAdmin(readHomeSummary)).messages.today).toBe(1)
  const { points } = await world.asAdmin(readHomeTrend, { kind: 'message', hours: 1 })
  expect(points.flatMap(({ value }) => value ?? []).reduce((a, b) => a + b, 0)).toBeGreaterThan(0)
  await device.end()
  await expect.poll(async () => (await world.asAdmin(readHomeSummary)).totals).toMatchObject({ online: 0, offline: 1 })
})

test('totals and rings follow every change of a device, and the change is held against yesterday at this time', async () => {
  const before = await world.asAdmin(readHomeSummary)
  const gateway = await makeProduct(world, { deviceType: 2 })
  const keys = [await makeDevice(world, gateway), await makeDevice(world, gateway), await makeDevice(world, gateway)]
  const [first, second] = keys
  if (first) await activate(world, first, true)
  if (second) await activate(world, second, false)
  const { totals, byType, byProduct } = await world.asAdmin(readHomeSummary)
  expect(totals).toEqual({
    total: before.totals.total + 3,
    online: before.totals.online + 1,
    offline: before.totals.offline + 1,
    inactive: before.totals.inactive + 1,
  })
  expect(byType.gateway).toBe(before.byType.gateway + 3)
  expect(byProduct[0]).toMatchObject({ productID: gateway, total: 3 })

  const yesterday = world.clock.now() - dayMs
  const sample = (at: number, online: number) =>
    world.db.insertInto('home_sample').values({ at, total: 5, online, offline: 1, inactive: 1 }).execute()
  await sample(yesterday - 20 * minuteMs, 100)
  expect((await world.asAdmin(readHomeSummary)).change).toBeNull()
  await sample(yesterday - 10 * minuteMs, 7)
  await sample(yesterday + 2 * minuteMs, 3)
  expect((await world.asAdmin(readHomeSummary)).change).toMatchObject({
    total: totals.total - 5,
    online: totals.online - 3,
  })
})

test('a trend has a point for every step, null where nobody measured, and the day before below it', async () => {
  const now = world.clock.now()
  const step = 5 * minuteMs
  const last = now - (now % step)
  await world.db.deleteFrom('home_sample').execute()
  const row = (at: number, online: number) => ({ at, total: 9, online, offline: 0, inactive: 0 })
  await world.db
    .insertInto('home_sample')
    .values([row(last - 2 * step, 4), row(last - 2 * step + minuteMs, 5), row(last - 3 * step - dayMs, 8)])
    .execute()
  const { points, stepMs, highest, lowest } = await world.asAdmin(readHomeTrend, { kind: 'online', hours: 24 })
  expect(stepMs).toBe(step)
  expect(points).toHaveLength(288)
  const at = (time: number) => points.find((point) => point.at === time)
  expect(at(last - 2 * step)).toMatchObject({ value: 5, before: null })
  expect(at(last - 3 * step)).toMatchObject({ value: null, before: 8 })
  expect({ highest, lowest }).toEqual({ highest: 5, lowest: 5 })
  expect((await world.asAdmin(readHomeTrend, { kind: 'online', hours: 168 })).points).toHaveLength(336)
  const refused = await world.call(readHomeTrend, { kind: 'online', hours: 169 }, { token: world.admin })
  expect(refused.code).toBe(100006)
})

test('a minute without messages is zero, one without a server is not known', async () => {
  const now = world.clock.now()
  const minute = now - (now % minuteMs)
  await world.db.deleteFrom('home_message').where('at', '<', minute).execute()
  await world.db
    .insertInto('home_message')
    .values({ at: minute - 5 * minuteMs, messages: 0 })
    .execute()
  await world.db
    .insertInto('home_message')
    .values({ at: minute - 9 * minuteMs, messages: 600 })
    .execute()
  const { points } = await world.asAdmin(readHomeTrend, { kind: 'message', hours: 1 })
  const at = (time: number) => points.find((point) => point.at === time)?.value
  expect(at(minute - 5 * minuteMs)).toBe(0)
  expect(at(minute - 7 * minuteMs)).toBeNull()
  expect(at(minute - 9 * minuteMs)).toBe(10)
})

test('servers add their messages to the same minute, and what could not be written is added later', async () => {
  const buses = [makeMemoryBus(() => undefined), makeMemoryBus(() => undefined)] as const
  const [one, two] = [countMessages(buses[0]), countMessages(buses[1])]
  const device = { productID: 'P1', deviceName: 'pump', deviceID: 1 }
  for (const bus of buses) {
    for (let n = 0; n < 3; n++) bus.emit('uplink.stored', { device, entry: {} as JournalEntry, values: undefined })
  }
  const at = dayStart(world.clock.now() + 1_000 * dayMs, localZone())
  // No database takes this time.
  await expect(one.flush(world.db, Number.NaN)).rejects.toThrow()
  expect(await one.flush(world.db, at + 100)).toBe(3)
  expect(await two.flush(world.db, at + 59_999)).toBe(3)
  expect(await two.flush(world.db, at + minuteMs)).toBe(0)
  const rows = await world.db.selectFrom('home_message').selectAll().where('at', '>=', at).orderBy('at').execute()
  expect(rows).toEqual([
    { at, messages: 6 },
    { at: at + minuteMs, messages: 0 },
  ])
  await world.db.deleteFrom('home_message').where('at', '>=', at).execute()
})

test('two servers take one sample a minute, and figures go after nine days', async () => {
  const now = world.clock.now() - 20 * dayMs
  await Promise.all([takeSample(world.db, now), takeSample(world.db, now), takeSample(world.db, now + 1)])
  const old = () => world.db.selectFrom('home_sample').selectAll().where('at', '<=', now).execute()
  expect(await old()).toHaveLength(1)
  expect(await dropOldFigures(world.db, world.clock)).toBeGreaterThan(0)
  expect(await old()).toHaveLength(0)
})

test('alarms of the last seven days are told by day and level, midnight belongs to the new day', async () => {
  const record = await addAlarm(world, { level: 5, productID: 'P1', deviceName: 'pump' })
  const week = lastDays(world.clock.now(), 7, localZone())
  const [sixDaysAgo = 0, midnight = 0] = [week[0]?.start, week[6]?.start]
  await addLog(world, record, { level: 5, at: midnight })
  await addLog(world, record, { level: 5, at: midnight - 1 })
  await addLog(world, record, { level: 2, at: sixDaysAgo })
  await addLog(world, record, { level: 2, at: sixDaysAgo - 1 })
  const days = async () => (await world.asAdmin(readHomeSummary)).alarms.days.map(({ levels }) => levels)
  const want = [[0, 1, 0, 0, 0], ...Array.from({ length: 4 }, () => [0, 0, 0, 0, 0]), [0, 0, 0, 0, 1], [0, 0, 0, 0, 1]]
  expect(await days()).toEqual(want)
  expect((await world.asAdmin(readHomeSummary)).alarms.today).toBe(1)

  // The same when they are counted already, once or again, and when a late one comes or the alarm goes.
  const mark = async () =>
    (await sql<{ seen: number }>`select seen from home_work where name = 'alarm'`.execute(world.db)).rows[0]?.seen ?? 0
  await world.db.updateTable('home_work').set({ at: 0 }).where('name', '=', 'alarm').execute()
  const now = world.clock.now()
  await doHomeWork(world.db, now)
  expect(await mark()).toBeGreaterThan(now - 10 * minuteMs)
  const again = await countAlarms(world.db, now, await mark())
  expect(again.seen).toBe(await mark())
  expect(await days()).toEqual(want)
  await addLog(world, record, { level: 2, at: midnight - 2 * dayMs })
  expect((await days())[4]).toEqual([0, 1, 0, 0, 0])
  await world.db.deleteFrom('alarm').execute()
  expect((await days()).flat().every((count) => count === 0)).toBe(true)
  const trend = await world.asAdmin(readHomeTrend, { kind: 'alarm', hours: 168 })
  expect(trend).toMatchObject({ highest: 0, lowest: 0 })
})

test('days of totals are those of the zone in the settings, by default of the server', async () => {
  const told = async () => {
    const { at, timeZone, alarms } = await world.asAdmin(readHomeSummary)
    const days = alarms.days.map(({ levels: _, ...day }) => day)
    expect(days).toEqual(lastDays(at, 7, timeZone))
    return timeZone
  }
  expect(await told()).toBe(localZone())
  for (const timeZone of ['Pacific/Auckland', 'America/Lima']) {
    await world.asAdmin(updateSettings, { timeZone })
    expect(await told()).toBe(timeZone)
  }
  await world.asAdmin(updateSettings, { timeZone: '' })
  expect(await told()).toBe(localZone())
})

test('open alarms are counted by level, the newest come first with the value that raised them', async () => {
  const productID = await makeFullProduct(world)
  const { deviceName } = await makeDevice(world, productID, { deviceAlias: '一号泵' })
  const now = world.clock.now()
  await world.db
    .updateTable('product_function')
    .set({ definition: sql`jsonb_set(definition, '{define,unit}', '"℃"')` })
    .where('product_id', '=', productID)
    .where('identifier', '=', 'temp')
    .execute()
  for (let n = 0; n < 12; n++) {
    const record = await addAlarm(world, {
      level: 1 + (n % 5),
      productID,
      deviceName,
      at: now - n * 1000,
      count: n + 1,
    })
    await addLog(world, record, {
      level: 1,
      at: now,
      serial: JSON.stringify({ dataID: 'temp', value: String(80 + n) }),
    })
  }
  await addAlarm(world, { level: 5, productID, deviceName, dealState: 3 })
  const { alarms } = await world.asAdmin(readHomeSummary)
  expect(alarms.open).toEqual([3, 3, 2, 2, 2])
  expect(alarms.latest).toHaveLength(10)
  expect(alarms.latest[0]).toMatchObject({
    productID,
    deviceName,
    deviceAlias: '一号泵',
    value: '80 ℃',
    lastAlarm: now,
  })
  expect(alarms.top).toEqual([{ productID, deviceName, deviceAlias: '一号泵', count: 78, level: 5 }])
  await world.db.deleteFrom('alarm').execute()
})

test('the screen is for those whose role may read it', async () => {
  const stranger = await makeSignedIn(world, { role: await makeRole(world, [readFirstSteps]) })
  expect((await world.call(readHomeSummary, {}, { token: stranger.token })).code).toBe(100012)
  expect((await world.call(readFirstSteps, {}, { token: stranger.token })).code).toBe(200)
  expect(homeTopic).toBe('home')
})
