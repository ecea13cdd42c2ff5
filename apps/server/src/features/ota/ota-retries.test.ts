/** Devices that are tried again, by the task itself or by people, with probation, stages and dynamic tasks. */
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { retryOtaDevice } from '@ithings/contract/features/ota/device.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWorld, type World } from '#testing/world.ts'
import { type OtaDevice, type OtaRoom, openOtaRoom } from './testing/ota-room.ts'

let world: World
let room: OtaRoom

beforeAll(async () => {
  world = await openWorld({ config: { tokenLifeSeconds: 30 * 86_400 } })
})
beforeEach(async () => {
  room = await openOtaRoom(world)
})
afterEach(() => room.close())
afterAll(() => world.close())

const minute = 60_000
const observed = '已升级，观察中'
const leave = async (device: OtaDevice) => {
  await device.end()
  await expect.poll(async () => (await world.asAdmin(readDevice, device.key)).isOnline).toBe(2)
}

test('a device that dies in its probation fails, however often it is tried again; one that comes back has to stay', async () => {
  const device = await room.device()
  const { deviceName } = device.key
  const options = { probationMinutes: 5, timeoutInMinutes: 10, retryCount: 1, retryInterval: 1 }
  const { taskID, taskUid } = await room.task(options)
  await device.upgrade()
  await device.report('2.0.0')
  await room.untilStatus(taskUid, deviceName, 401)
  await leave(device)
  world.clock.advance(15 * minute + 1_000)
  expect(await room.untilStatus(taskUid, deviceName, 101)).toMatchObject({ detail: '超时', attempts: 1 })
  // It has the version, so nothing is pushed; but that is no proof.
  world.clock.advance(minute)
  expect(await room.untilStatus(taskUid, deviceName, 401)).toMatchObject({ detail: observed, attempts: 2, isOnline: 2 })
  world.clock.advance(15 * minute + 1_000)
  const dead = await room.untilStatus(taskUid, deviceName, 402)
  expect(dead).toMatchObject({ detail: '超时', attempts: 2 })
  await room.untilTask(taskID, { status: 3 })

  await world.asAdmin(retryOtaDevice, { id: dead.id })
  await room.untilStatus(taskUid, deviceName, 401)
  world.clock.advance(6 * minute)
  const back = await room.connect(device.key)
  await back.report('2.0.0')
  await back.quiet()
  const trial = (await room.rows(taskUid)).get(deviceName)
  expect(trial).toMatchObject({ status: 401, detail: observed })
  expect(trial?.probationUntil).toBeGreaterThan(world.clock.now() / 1000 + 280)
  expect(back.waitingInfos()).toBe(0)
  world.clock.advance(5 * minute + 1_000)
  await room.untilStatus(taskUid, deviceName, 501)
  await room.untilTask(taskID, { status: 3, counts: { 501: 1 } })
})

test('a device that tells the new version between two tries still has its probation before it', async () => {
  const device = await room.device()
  const { deviceName } = device.key
  const options = { probationMinutes: 5, timeoutInMinutes: 10, retryCount: 1, retryInterval: 30 }
  const { taskUid } = await room.task(options)
  await device.upgrade()
  await room.untilStatus(taskUid, deviceName, 301)
  world.clock.advance(10 * minute + 1_000)
  await room.untilStatus(taskUid, deviceName, 101)
  await device.report('2.0.0')
  await device.quiet()
  expect((await room.rows(taskUid)).get(deviceName)).toMatchObject({ status: 101, attempts: 1 })
  world.clock.advance(30 * minute)
  expect(await room.untilStatus(taskUid, deviceName, 401)).toMatchObject({ detail: observed, attempts: 2 })
  world.clock.advance(5 * minute + 1_000)
  await room.untilStatus(taskUid, deviceName, 501)
})

test('one device of a task that failed and is over is tried again; the others do not halt it', async () => {
  const fleet = [await room.device(), await room.device(), await room.device()]
  const stages = [{ percent: 100, successPercent: 90, failPercent: 20 }]
  const { taskID, taskUid } = await room.task({ stages })
  for (const device of fleet) {
    await device.upgrade()
    await device.step(-1)
  }
  await room.untilTask(taskID, { status: 3, counts: { 402: 3 } })
  const [chosen] = fleet
  if (!chosen) throw new Error('no devices')
  const { id = 0 } = (await room.rows(taskUid)).get(chosen.key.deviceName) ?? {}
  await world.asAdmin(retryOtaDevice, { id })
  expect(await chosen.upgrade()).toMatchObject({ id })
  expect(await room.read(taskID)).toMatchObject({ status: 2, paused: 0, haltReason: '' })
  await chosen.report('2.0.0')
  await room.untilTask(taskID, { status: 3, counts: { 402: 2, 501: 1 } })
})

test('a dynamic task that was over takes nobody any more when one of its devices is tried again', async () => {
  const device = await room.device()
  const now = Math.floor(world.clock.now() / 1000)
  const dynamic = { upgradeType: 2, versionList: ['1.0.0'] }
  const { taskID, taskUid } = await room.task({ ...dynamic, scheduleFinishTime: now + 3_600 })
  await device.upgrade()
  await device.step(-1)
  const failed = await room.untilStatus(taskUid, device.key.deviceName, 402)
  world.clock.advance(61 * minute)
  await room.untilTask(taskID, { status: 3 })

  await world.asAdmin(retryOtaDevice, { id: failed.id })
  await device.upgrade()
  await room.untilTask(taskID, { status: 2 })
  const late = await room.device({ version: '1.0.0' })
  expect(await late.quiet()).toEqual([])
  expect(await room.read(taskID)).toMatchObject({ total: 1 })
  // It stands in the way of no other one either.
  const second = await room.task(dynamic)
  await late.upgrade()
  await device.report('2.0.0')
  await room.untilTask(taskID, { status: 3, counts: { 501: 1 } })
  await room.untilTask(second.taskID, { status: 2, total: 1 })
})
