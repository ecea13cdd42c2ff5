/** Upgrades over several servers on one database, and over restarts in the middle. */
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { cancelOtaTask } from '@ithings/contract/features/ota/task.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { missOthers } from '#testing/miss-others.ts'
import { openWorld, type World } from '#testing/world.ts'
import { type OtaDevice, type OtaRoom, openOtaRoom } from './testing/ota-room.ts'

const shared = { config: { databaseUrl: 'given', tokenLifeSeconds: 30 * 86_400 } }
let first: World
let others: World[] = []
let room: OtaRoom

beforeAll(async () => {
  first = await openWorld({ ...shared, steadyMs: 0 })
})
afterEach(async () => {
  await room.close()
  for (const world of others) await world.close()
  others = []
})
afterAll(() => first.close())

async function another(): Promise<World> {
  const world = await openWorld({ ...shared, databaseUrl: first.url })
  others.push(world)
  return world
}
async function connected(world: World, version = '1.0.0'): Promise<OtaDevice> {
  const device = await room.connect(await makeDevice(first, room.productID), world)
  await device.report(version)
  return device
}
const infosOf = (device: OtaDevice) => device.waitingInfos()

test('two servers share the work: every device is told once, wherever it is connected', async () => {
  room = await openOtaRoom(first)
  const second = await another()
  const fleet: OtaDevice[] = []
  for (let i = 0; i < 10; i++) fleet.push(await connected(i % 2 === 0 ? first : second))
  const { taskID, taskUid } = await room.task({ maximumPerMinute: 600 })
  await room.untilTask(taskID, { counts: { 301: 10 } })
  for (const device of fleet) await device.quiet()
  await expect.poll(() => fleet.map(infosOf)).toEqual(fleet.map(() => 1))
  for (const device of fleet) {
    await device.step(50)
    await device.report('2.0.0')
  }
  await room.untilTask(taskID, { status: 3, counts: { 501: 10 } })
  expect([...(await room.rows(taskUid)).values()].map((row) => row.attempts)).toEqual(fleet.map(() => 1))
})

test('a server stops in the middle, another goes on, and nobody is told twice', async () => {
  const second = await another()
  room = await openOtaRoom(first)
  const fleet: OtaDevice[] = []
  for (let i = 0; i < 8; i++) fleet.push(await connected(first))
  const { taskID } = await room.task({ maximumPerMinute: 120 })
  await expect.poll(() => fleet.filter((device) => infosOf(device) > 0).length).toBeGreaterThanOrEqual(3)
  others = []
  await second.close()
  const third = await another()
  await room.untilTask(taskID, { counts: { 301: 8 } })
  for (const device of fleet) await device.quiet()
  await expect.poll(() => fleet.map(infosOf)).toEqual(fleet.map(() => 1))
  for (const device of fleet) await device.report('2.0.0')
  await room.untilTask(taskID, { status: 3, counts: { 501: 8 } })
  expect(third.app.mqtt.port).toBeGreaterThan(0)
})

test('a restart in the middle keeps what was pushed, what waits, and the probation', async () => {
  room = await openOtaRoom(first)
  const second = await another()
  const key = await makeDevice(first, room.productID)
  const device = await room.connect(key, second)
  await device.report('1.0.0')
  const waiting = await makeDevice(first, room.productID)
  const { taskID, taskUid } = await room.task({ probationMinutes: 5 })
  await device.upgrade()
  await room.untilStatus(taskUid, key.deviceName, 301)
  others = []
  await second.close()
  await missOthers(first)
  await expect.poll(async () => (await first.asAdmin(readDevice, key)).isOnline).toBe(2)
  const third = await another()
  const back = await room.connect(key, third)
  await back.report('2.0.0')
  await room.untilStatus(taskUid, key.deviceName, 401)
  first.clock.advance(6 * 60_000)
  third.clock.advance(6 * 60_000)
  await room.untilStatus(taskUid, key.deviceName, 501)
  const late = await room.connect(waiting, third)
  await late.report('1.0.0')
  await late.upgrade()
  expect(await room.untilStatus(taskUid, waiting.deviceName, 301)).toMatchObject({ attempts: 1 })
  await first.asAdmin(cancelOtaTask, { taskID })
  await room.untilTask(taskID, { status: 4, counts: { 501: 1, 701: 1 } })
})
