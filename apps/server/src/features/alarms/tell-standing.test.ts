/** Alarms that stay and are not raised again: a duration, an offline device fire once for as long as it lasts. */
import { updateAlarm } from '@ithings/contract/features/alarms/config.ts'
import { createDealRecord } from '@ithings/contract/features/alarms/record.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { makeTestBackground } from '#testing/background.ts'
import { tellStanding, watchStanding } from './tell-standing.ts'
import {
  type AlarmRoom,
  makeAlarm,
  makeChannel,
  makeScene,
  onlyRecord,
  openAlarms,
  runOf,
} from './testing/alarm-room.ts'

let room: AlarmRoom
let raising: number
let relieving: number
let channelIDs: number[]
beforeAll(async () => {
  room = await openAlarms()
})
afterAll(() => room.close())
beforeEach(async () => {
  await room.world.db.deleteFrom('alarm').execute()
  await room.world.db.deleteFrom('notify_delivery').execute()
  raising = await makeScene(room)
  relieving = await makeScene(room, 'relieve')
  channelIDs = [await makeChannel(room)]
})

const second = 1_000
/** The session of the test lasts an hour: intervals are short. */
const minute = 60 * second
const log = pino({ level: 'silent' })
const tell = (who: AlarmRoom = room) => tellStanding(who.deps, log)
const after = (ms: number) => {
  room.world.clock.advance(ms)
  return tell()
}
const sent = () =>
  room.world.db.selectFrom('notify_delivery').select(['title', 'content', 'payload']).orderBy('id').execute()
const events = async () => (await sent()).map((row) => row.payload.event)
const of = (deviceName: string) => ({ device: { productID: 'P1', deviceName, deviceID: 1 } })
const raise = (deviceName: string) => room.door.raise(runOf(raising, of(deviceName)))
const clear = (deviceName: string) => room.door.clear(runOf(relieving, of(deviceName)))

test('an alarm that was raised once is told again whenever the interval is over', async () => {
  const productID = await makeProduct(room.world, { productName: '水泵' })
  const device = await makeDevice(room.world, productID, { deviceName: 'p-1', deviceAlias: '一号泵' })
  const alarmID = await makeAlarm(room, [raising], { level: 3, notify: { channelIDs, renotifyMinutes: 5 } })
  await room.door.raise(runOf(raising, { device: { ...device, deviceID: 1 } }))
  expect(await after(4 * minute)).toBe(0)
  const before = room.rings()
  expect(await after(minute)).toBe(1)
  expect(room.rings()).toBe(before + 1)
  expect(await tell()).toBe(0)
  expect(await after(4 * minute)).toBe(0)
  expect(await after(minute)).toBe(1)
  expect(await events()).toEqual(['alarm.opened', 'alarm.repeated', 'alarm.repeated'])
  const [, again] = await sent()
  expect(again?.title).toMatch(/^【严重】.* · 一号泵（仍在告警）$/)
  expect(again?.content).toMatch(
    /^触发：温度 > 80 ℃（实际 85 ℃）\n设备：一号泵（p-1）\n产品：水泵\n持续：5 分钟，共 1 次\n场景：.*\n时间：/,
  )
  expect(await onlyRecord(room, alarmID)).toMatchObject({ count: 1, dealState: 2 })
})

test('told again by a trigger meanwhile, the interval begins anew', async () => {
  await makeAlarm(room, [raising], { notify: { channelIDs, renotifyMinutes: 5 } })
  await raise('p-1')
  room.world.clock.advance(6 * minute)
  await raise('p-1')
  expect(await tell()).toBe(0)
  expect(await after(4 * minute)).toBe(0)
  expect(await after(2 * minute)).toBe(1)
  expect(await events()).toEqual(['alarm.opened', 'alarm.repeated', 'alarm.repeated'])
})

test('without an interval, handled, cleared or disabled nobody is told again', async () => {
  await makeAlarm(room, [raising], { notify: { channelIDs } })
  const handled = await makeAlarm(room, [raising], { notify: { channelIDs, renotifyMinutes: 1 } })
  const disabled = await makeAlarm(room, [raising], { notify: { channelIDs, renotifyMinutes: 1 } })
  const silent = await makeAlarm(room, [raising], { notify: { renotifyMinutes: 1 } })
  await raise('p-1')
  await room.asAdmin(createDealRecord, { alarmRecordID: (await onlyRecord(room, handled)).id, result: '已修' })
  await room.asAdmin(updateAlarm, { id: disabled, status: 2 })
  expect(await after(5 * minute)).toBe(0)
  expect(await onlyRecord(room, silent)).toMatchObject({ dealState: 2 })
})

test('re-opened while it flaps and then staying, it is told when the flapping time is over, and so is its end', async () => {
  const notify = { channelIDs, flapSeconds: 60, renotifyMinutes: 1, notifyCleared: true }
  const alarmID = await makeAlarm(room, [raising, relieving], { notify })
  await raise('p-1')
  room.world.clock.advance(2 * minute)
  await clear('p-1')
  room.world.clock.advance(10 * second)
  await raise('p-1')
  await raise('p-1')
  expect(await onlyRecord(room, alarmID)).toMatchObject({ dealState: 2, openedCount: 2 })
  expect(await after(10 * second)).toBe(0)
  expect(await events()).toEqual(['alarm.opened', 'alarm.cleared'])
  expect(await after(41 * second)).toBe(1)
  expect(await tell()).toBe(0)
  await clear('p-1')
  expect(await events()).toEqual(['alarm.opened', 'alarm.cleared', 'alarm.repeated', 'alarm.cleared'])
})

test('who is to be told later hears of what is open', async () => {
  const alarmID = await makeAlarm(room, [raising])
  await raise('p-1')
  expect(await after(minute)).toBe(0)
  await room.asAdmin(updateAlarm, { id: alarmID, notify: { channelIDs } })
  await tell()
  // By the app, if it was quicker.
  await expect.poll(events).toEqual(['alarm.repeated'])
  expect(await tell()).toBe(0)
})

test('many of an alarm are told as one, with the worst level', async () => {
  const many = await makeAlarm(room, [raising], { name: '全厂掉电', notify: { channelIDs, renotifyMinutes: 1 } })
  for (let no = 1; no <= 7; no++) await raise(`d-${no}`)
  await room.asAdmin(updateAlarm, { id: many, level: 5 })
  await raise('d-7')
  await room.world.db.deleteFrom('notify_delivery').execute()
  expect(await after(minute)).toBe(7)
  const [only, ...others] = await sent()
  expect(others).toEqual([])
  expect(only?.title).toBe('【超紧急】全厂掉电 · 7 条（仍在告警）')
  expect(only?.content).toMatch(/^设备：d-1、d-2、d-3、d-4、d-5、d-6、d-7\n时间：/)
})

test('several servers at once tell of each once', async () => {
  const other = await openAlarms(room.world)
  const alarms = 4
  for (let no = 0; no < alarms; no++) {
    await makeAlarm(room, [raising], { notify: { channelIDs, renotifyMinutes: 1 } })
  }
  for (let round = 1; round <= 3; round++) {
    if (round === 1) await raise('p-1')
    room.world.clock.advance(minute)
    const told = await Promise.all([tell(), tell(other), tell(), tell(other), tell()])
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(alarms)
    expect(await events()).toHaveLength(alarms * (round + 1))
  }
  await other.close()
})

test('one alarm that cannot be told does not keep the others from it', async () => {
  const broken = await makeAlarm(room, [raising], { notify: { channelIDs, renotifyMinutes: 1 } })
  await makeAlarm(room, [raising], { notify: { channelIDs, renotifyMinutes: 1 } })
  await raise('p-1')
  const settings = JSON.stringify({ channelIDs, renotifyMinutes: 1, title: 7 })
  await room.world.db.updateTable('alarm').set({ notify: settings }).where('id', '=', broken).execute()
  expect(await after(minute)).toBe(1)
  expect(await events()).toEqual(['alarm.opened', 'alarm.opened', 'alarm.repeated'])
})

test('the clock does it by itself, until it is stopped', async () => {
  await makeAlarm(room, [raising], { notify: { channelIDs, renotifyMinutes: 1 } })
  await raise('p-1')
  const standing = watchStanding(room.deps, makeTestBackground(room.world.clock), log, 10)
  room.world.clock.advance(minute)
  await expect.poll(events).toEqual(['alarm.opened', 'alarm.repeated'])
  room.world.clock.advance(minute)
  await expect.poll(events).toHaveLength(3)
  await standing.stop()
})
