/** Staged, dynamic and probationary upgrades with real devices (screens.md 22). */
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { cancelOtaDevices, retryOtaDevices } from '@ithings/contract/features/ota/device.ts'
import { adjustOtaTask, createOtaTask, resumeOtaTask } from '@ithings/contract/features/ota/task.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DeviceKey } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addFirmware, type OtaDevice, type OtaRoom, openOtaRoom, plan } from './testing/ota-room.ts'

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
const call = (endpoint: Parameters<World['call']>[0], body: object) =>
  world.call(endpoint, body, { token: world.admin })
const devices = async (count: number): Promise<OtaDevice[]> => {
  const list: OtaDevice[] = []
  for (let i = 0; i < count; i++) list.push(await room.device())
  return list
}
/** Those that have been told, once there are so many. */
async function pushed(fleet: OtaDevice[], count: number): Promise<OtaDevice[]> {
  const told = () => fleet.filter((device) => device.waitingInfos() > 0)
  await expect.poll(() => told().length).toBe(count)
  for (const device of fleet) await device.quiet()
  expect(told()).toHaveLength(count)
  const list = told()
  for (const device of list) await device.upgrade()
  return list
}
const stages = (...percents: number[]) => percents.map((percent) => ({ percent, successPercent: 90, failPercent: 20 }))

test('a staged task pushes stage by stage and comes to its end', async () => {
  const fleet = await devices(6)
  const { taskID, taskUid } = await room.task({ stages: stages(10, 50, 100) })
  const first = await pushed(fleet, 1)
  expect(await room.read(taskID)).toMatchObject({
    stage: 0,
    stages: [
      { devices: 1, success: 0 },
      { devices: 2, success: 0, startedTime: 0 },
      { devices: 3, success: 0, startedTime: 0 },
    ],
  })
  for (const device of first) await device.report('2.0.0')
  const second = await pushed(fleet, 2)
  await room.untilTask(taskID, { stage: 1, stages: [{ success: 1 }, { success: 0 }, {}] })
  for (const device of second) await device.report('2.0.0')
  const third = await pushed(fleet, 3)
  for (const device of third) await device.report('2.0.0')
  await room.untilTask(taskID, {
    status: 3,
    stage: 2,
    counts: { 501: 6 },
    stages: [{ success: 1 }, { success: 2 }, { success: 3 }],
  })
  const { stages: seen } = await room.read(taskID)
  for (const stage of seen) expect(stage.startedTime).toBeGreaterThan(0)
  const rows = [...(await room.rows(taskUid)).values()]
  expect(rows.map((row) => row.stage)).toEqual([0, 1, 1, 2, 2, 2])
  expect(rows.every((row) => row.attempts === 1)).toBe(true)
})

test('a firmware that fails on a third of the devices halts inside its first stage', async () => {
  const fleet = await devices(12)
  const { taskID, taskUid } = await room.task({ stages: stages(50, 100) })
  const first = await pushed(fleet, 6)
  for (const [i, device] of first.entries()) {
    if (i % 3 === 2) await device.step(-1, { desc: '写入失败' })
    else await device.report('2.0.0')
  }
  await room.untilTask(taskID, { status: 2, paused: 1, stage: 0, haltReason: expect.stringContaining('失败率过高') })
  await room.untilTask(taskID, { counts: { 101: 6, 402: 2, 501: 4 } })
  for (const device of fleet) expect(await device.quiet()).toEqual([])

  expect(await call(resumeOtaTask, { taskID })).toMatchObject({
    code: 100006,
    msg: expect.stringContaining('强制继续'),
  })
  // Tried again with success, the stage is good and goes on without force.
  expect(await world.asAdmin(retryOtaDevices, { taskUid, status: 402 })).toMatchObject({ done: 2 })
  await world.asAdmin(resumeOtaTask, { taskID })
  const again = await pushed(fleet, 2)
  for (const device of again) await device.report('2.0.0')
  const second = await pushed(fleet, 6)
  for (const device of second) await device.report('2.0.0')
  await room.untilTask(taskID, { status: 3, counts: { 501: 12 } })
})

test('force lets a stage pass that failed', async () => {
  const fleet = await devices(2)
  const { taskID } = await room.task({ stages: stages(50, 100) })
  const [first] = await pushed(fleet, 1)
  await first?.step(-1)
  await room.untilTask(taskID, { paused: 1 })
  await world.asAdmin(resumeOtaTask, { taskID, force: true })
  const [second] = await pushed(fleet, 1)
  await second?.report('2.0.0')
  await room.untilTask(taskID, { status: 3, paused: 0, haltReason: '', counts: { 402: 1, 501: 1 } })
})

test('a dynamic task catches a device that comes later with one of its versions', async () => {
  const early = await room.device()
  const options = { upgradeType: 2, versionList: ['1.0.0'] }
  const { taskID, taskUid } = await room.task(options)
  await early.upgrade()
  await early.report('2.0.0')
  await room.untilStatus(taskUid, early.key.deviceName, 501)
  expect(await call(createOtaTask, plan({ firmwareID: room.firmwareID, ...options }))).toMatchObject({ code: 100010 })

  const late = await room.device({ version: '1.0.0' })
  expect(await late.upgrade()).toMatchObject({ version: '2.0.0' })
  const stranger = await room.device({ version: '0.9.0' })
  expect(await stranger.quiet()).toEqual([])
  await late.report('2.0.0')
  await room.untilStatus(taskUid, late.key.deviceName, 501)
  expect(await room.read(taskID)).toMatchObject({ status: 2, total: 2 })
  expect((await room.rows(taskUid)).has(stranger.key.deviceName)).toBe(false)
})

test('a dynamic task is made without devices and ends with its window', async () => {
  const now = Math.floor(world.clock.now() / 1000)
  const { taskID } = await room.task({ upgradeType: 2, versionList: ['1.0.0'], scheduleFinishTime: now + 3_600 })
  expect(await room.read(taskID)).toMatchObject({ total: 0 })
  const late = await room.device({ version: '1.0.0' })
  await late.upgrade()
  await late.report('2.0.0')
  await room.untilTask(taskID, { status: 2, counts: { 501: 1 } })
  world.clock.advance(61 * minute)
  await room.untilTask(taskID, { status: 3 })
})

test('stages of a dynamic task grow with it: a few early devices let nobody pass', async () => {
  const { taskID } = await room.task({ upgradeType: 2, versionList: ['1.0.0'], stages: stages(50, 100) })
  await room.untilTask(taskID, { total: 0, stage: 0 })
  const first = await room.device()
  await first.upgrade()
  await first.report('2.0.0')
  await room.untilTask(taskID, { stage: 0, counts: { 501: 1 } })
  // Half of two is done: the second is pushed. Half of four is not.
  const second = await room.device()
  await second.upgrade()
  await room.untilTask(taskID, { stage: 1 })
  const rest = await devices(2)
  await room.untilTask(taskID, { total: 4, stage: 0, stages: [{ devices: 2 }, { devices: 2 }] })
  for (const device of rest) expect(await device.quiet()).toEqual([])
  await second.report('2.0.0')
  for (const device of rest) await device.upgrade()
  await room.untilTask(taskID, { stage: 1, counts: { 301: 2, 501: 2 } })
})

test('probation: success only after the device has stayed online for the time', async () => {
  const device = await room.device()
  const { taskUid } = await room.task({ probationMinutes: 5 })
  await device.upgrade()
  await device.report('2.0.0')
  const { deviceName } = device.key
  const row = await room.untilStatus(taskUid, deviceName, 401)
  expect(row).toMatchObject({ detail: '已升级，观察中', step: 100 })
  const now = world.clock.now() / 1000
  expect(row.probationUntil).toBeGreaterThan(now + 280)
  expect(row.probationUntil).toBeLessThan(now + 301)
  // The same version again begins nothing anew.
  world.clock.advance(3 * minute)
  await device.report('2.0.0')
  await device.quiet()
  expect((await room.rows(taskUid)).get(deviceName)).toMatchObject({ status: 401, probationUntil: row.probationUntil })
  world.clock.advance(2 * minute + 1_000)
  await room.untilStatus(taskUid, deviceName, 501)
})

test('a break begins the probation anew, and the time-out ends it', async () => {
  const [back, gone] = [await room.device(), await room.device()]
  const { taskUid } = await room.task({ probationMinutes: 10, timeoutInMinutes: 30 })
  for (const device of [back, gone]) {
    await device.upgrade()
    await device.report('2.0.0')
    await room.untilStatus(taskUid, device.key.deviceName, 401)
  }
  await gone.end()
  world.clock.advance(8 * minute)
  await back.end()
  await expect.poll(async () => (await world.asAdmin(readDevice, back.key)).isOnline).toBe(2)
  await room.connect(back.key)
  world.clock.advance(4 * minute)
  const row = (await room.rows(taskUid)).get(back.key.deviceName)
  expect(row).toMatchObject({ status: 401 })
  expect(row?.probationUntil).toBeGreaterThan(world.clock.now() / 1000 + 300)
  world.clock.advance(7 * minute)
  await room.untilStatus(taskUid, back.key.deviceName, 501)
  expect((await room.rows(taskUid)).get(gone.key.deviceName)).toMatchObject({ status: 401, isOnline: 2 })
  world.clock.advance(22 * minute)
  expect(await room.untilStatus(taskUid, gone.key.deviceName, 402)).toMatchObject({ detail: '超时' })
})

test('a device that falls back to its old version during probation has failed', async () => {
  const device = await room.device()
  const { taskUid } = await room.task({ probationMinutes: 5 })
  await device.upgrade()
  await device.report('2.0.0')
  await room.untilStatus(taskUid, device.key.deviceName, 401)
  await device.report('1.0.0')
  expect(await room.untilStatus(taskUid, device.key.deviceName, 402)).toMatchObject({
    detail: '观察期内回退到版本 1.0.0',
  })
})

test('source 2: a package for certain versions asks first, and is given as the answer', async () => {
  const [fits, other, silent] = await devices(3)
  if (!fits || !other || !silent) throw new Error('no devices')
  world.clock.advance(1_000)
  const { taskUid } = await room.task({ source: 2, versionList: ['1.1.0'], timeoutInMinutes: 5 })
  for (const device of [fits, other, silent]) {
    expect(await device.next('ota/report')).toMatchObject({ method: 'getReport' })
  }
  expect(await room.untilStatus(taskUid, fits.key.deviceName, 301)).toMatchObject({
    detail: '已询问版本，等待设备上报',
  })
  await fits.report('1.1.0')
  await other.report('1.0.0')
  expect(await fits.upgrade()).toMatchObject({ version: '2.0.0' })
  expect(await room.untilStatus(taskUid, other.key.deviceName, 701)).toMatchObject({
    detail: '设备版本 1.0.0 不在待升级版本中',
  })
  await expect
    .poll(async () => (await room.rows(taskUid)).get(fits.key.deviceName))
    .toMatchObject({ status: 301, version: '1.1.0', detail: '' })
  await fits.report('2.0.0')
  await room.untilStatus(taskUid, fits.key.deviceName, 501)
  world.clock.advance(6 * minute)
  await room.untilStatus(taskUid, silent.key.deviceName, 402)
})

test('source 2: devices with other versions say nothing about the package and halt no stage', async () => {
  const answers = async (version: string) => {
    const device = await room.device({ version })
    device.client.on('message', (topic) => void device.report(topic.includes('/report/') ? version : '2.0.0'))
  }
  for (const version of ['1.0.0', '0.9.0', '1.0.0', '0.9.0', '1.0.0']) await answers(version)
  world.clock.advance(1_000)
  // Four of five: at least one that does not fit is among them.
  const { taskID } = await room.task({ source: 2, versionList: ['1.0.0'], stages: stages(80, 100) })
  await room.untilTask(taskID, { status: 3, counts: { 402: 0, 501: 3, 701: 2 } })
})

test('source 2: a device that tells its version as its information is pushed', async () => {
  const device = await room.device()
  world.clock.advance(1_000)
  const { taskUid } = await room.task({ source: 2, versionList: ['1.0.0'] })
  await device.next('ota/report')
  await room.untilStatus(taskUid, device.key.deviceName, 301)
  await device.publish('thing/property', { method: 'reportInfo', clientToken: 'i', params: { version: '1.0.0' } })
  expect(await device.upgrade()).toMatchObject({ version: '2.0.0', module: 'default' })
  expect(await room.untilStatus(taskUid, device.key.deviceName, 301)).toMatchObject({ detail: '', attempts: 1 })
  // Once: the same word again is no second push.
  await device.publish('thing/property', { method: 'reportInfo', clientToken: 'j', params: { version: '1.0.0' } })
  expect(await device.quiet()).toEqual([])
})

test('source 2: a package for every version is pushed at once, whatever was reported before', async () => {
  const device = await room.device({ version: '9.0.0' })
  world.clock.advance(1_000)
  const firmwareID = await addFirmware(world, room.productID, { version: '3.0.0' })
  const { taskUid } = await room.task({ firmwareID, source: 2 })
  await device.upgrade()
  await device.report('9.0.0')
  await room.untilStatus(taskUid, device.key.deviceName, 601)
})

/** A task in two stages; the first has succeeded but for one device that does not come, nor does anyone of the second. */
async function blockedTask() {
  const here = await room.device()
  const keys = [await room.offlineDevice(), await room.offlineDevice(), await room.offlineDevice()]
  const { taskID, taskUid } = await room.task({ stages: stages(50, 100) })
  await here.upgrade()
  await here.report('2.0.0')
  await room.untilTask(taskID, { stage: 0, away: 1, stages: [{ success: 1, away: 1 }, { away: 0 }] })
  const first = [...(await room.rows(taskUid)).values()].find(({ stage, status }) => stage === 0 && status === 101)
  const away = keys.find(({ deviceName }) => deviceName === first?.deviceName) as DeviceKey
  return { taskID, taskUid, away }
}

test('devices that are away are counted, and skipping them lets the stage pass', async () => {
  const { taskID, taskUid, away } = await blockedTask()
  expect(await world.asAdmin(cancelOtaDevices, { taskUid, away: true })).toEqual({ done: 1, failed: [] })
  await room.untilTask(taskID, { stage: 1, away: 2, stages: [{ away: 0 }, { away: 2 }] })
  expect((await room.rows(taskUid)).get(away.deviceName)).toMatchObject({ status: 701, detail: '设备离线，已跳过' })
})

test('a stage that waits for a device is let pass, and the device is still pushed when it comes', async () => {
  const { taskID, taskUid, away } = await blockedTask()
  await world.asAdmin(adjustOtaTask, { taskID, stage: 0 })
  await room.untilTask(taskID, { stage: 1, away: 3, stages: [{ away: 1 }, { away: 2 }] })
  for (const stage of [0, 1]) expect(await call(adjustOtaTask, { taskID, stage })).toMatchObject({ code: 100006 })
  await (await room.connect(away)).upgrade()
  await room.untilStatus(taskUid, away.deviceName, 301)
})

test('a task at work gets an end: who was not pushed by then has failed', async () => {
  const { taskID, taskUid, away } = await blockedTask()
  const now = Math.floor(world.clock.now() / 1000)
  expect(await call(adjustOtaTask, { taskID, scheduleFinishTime: now - 5 })).toMatchObject({ code: 100006 })
  await world.asAdmin(adjustOtaTask, { taskID, scheduleFinishTime: now + 600 })
  expect(await room.read(taskID)).toMatchObject({ scheduleFinishTime: now + 600 })
  world.clock.advance(10 * minute)
  expect(await room.untilStatus(taskUid, away.deviceName, 402)).toMatchObject({ detail: '已超过截止时间' })
  await room.untilTask(taskID, { status: 3, away: 0 })
  expect(await call(adjustOtaTask, { taskID, scheduleFinishTime: 0 })).toMatchObject({ code: 100006 })
})
