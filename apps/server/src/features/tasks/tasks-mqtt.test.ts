/** Device tasks with real devices, from the start to the end of each (screens.md 7.3). */
import { errors } from '@ithings/contract/errors.ts'
import { listShadow } from '@ithings/contract/features/commands.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { readHomeSummary } from '@ithings/contract/features/home.ts'
import { createConfig } from '@ithings/contract/features/remote-config.ts'
import { listTaskDevices } from '@ithings/contract/features/task-results.ts'
import {
  cancelledText,
  cancelTask,
  DeployStatus,
  retryTask,
  runTask,
  TaskTarget,
  TaskType,
} from '@ithings/contract/features/tasks.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { obeys, openTaskRoom, refuses, silent, type TaskRoom } from './testing/task-room.ts'

let room: TaskRoom
beforeAll(async () => {
  room = await openTaskRoom()
})
afterEach(() => room.leaveAll())
afterAll(() => room.close())

const json = JSON.stringify
const { running, success, failed } = DeployStatus

describe('each type comes to its end', () => {
  test('properties are set, and each device is told of with its answer', async () => {
    const [one, two] = [await room.lamp(), await room.lamp(() => ({ code: 200, msg: '已开灯' }))]
    const taskID = await room.create([one, two], { data: json({ power: 1, level: 50 }) })
    await room.until(taskID, success)
    expect(one.heard).toMatchObject([{ method: 'control', params: { power: true, level: 50 } }])
    const task = await room.task(taskID)
    expect(task).toMatchObject({ total: 2, success: 2, failed: 0, targetCount: 2, createdBy: 'administrator' })
    const rows = await room.rows(taskID)
    expect(rows).toMatchObject([
      { deviceName: one.key.deviceName, status: success, code: 200, attempts: 1, isOnline: 1 },
      { deviceName: two.key.deviceName, status: success, code: 200, msg: '已开灯' },
    ])
    expect(rows[0]?.clientToken).toBe(one.heard[0]?.clientToken)
    expect(rows[0]?.sentTime).toBeGreaterThan(0)
    expect(rows[0]?.doneTime).toBeGreaterThanOrEqual(rows[0]?.sentTime ?? 0)
    expect(JSON.parse(rows[1]?.reply ?? '')).toMatchObject({ code: 200, msg: '已开灯' })
  })

  test('an action is called with its inputs; its outputs can be read', async () => {
    const lamp = await room.lamp(() => ({ code: 200, data: { done: 1 } }))
    const action = { taskType: TaskType.action, actionID: 'blink', inputParams: json({ times: 3 }) }
    const taskID = await room.create([lamp], action)
    await room.until(taskID, success)
    expect(lamp.heard).toMatchObject([{ method: 'action', actionID: 'blink', params: { times: 3 } }])
    const [row] = await room.rows(taskID)
    expect(JSON.parse(row?.reply ?? '')).toMatchObject({ code: 200, data: { done: 1 } })
  })

  test('a configuration is delivered; the newest when none is named', async () => {
    const lamp = await room.lamp()
    const { productID, world } = room
    await world.asAdmin(createConfig, { productID, content: json({ a: 1 }) })
    await world.asAdmin(createConfig, { productID, content: json({ a: 2 }) })
    const taskID = await room.create([lamp], { taskType: TaskType.config, data: '' })
    await room.until(taskID, success)
    expect(await lamp.next('config/push')).toMatchObject({ method: 'push', payload: json({ a: 2 }) })
    expect(await room.rows(taskID)).toMatchObject([{ status: success, code: 200 }])
  })
})

describe('devices that do not do it', () => {
  test('a refusal ends with the code and words of the device', async () => {
    const [good, bad] = [await room.lamp(), await room.lamp(refuses)]
    const taskID = await room.create([good, bad])
    await room.until(taskID, failed)
    expect(await room.task(taskID)).toMatchObject({ total: 2, success: 1, failed: 1 })
    expect(await room.rows(taskID)).toMatchObject([
      { status: success },
      { status: failed, code: 430, msg: '灯泡已坏', attempts: 1 },
    ])
    const { world } = room
    const filtered = await world.asAdmin(listTaskDevices, { taskID, status: failed, reason: '灯泡' })
    expect(filtered).toMatchObject({ total: 1, list: [{ deviceName: bad.key.deviceName }] })
  })

  test('a silent device fails when its time is over, and only then', async () => {
    const lamp = await room.lamp(silent)
    const taskID = await room.create([lamp], { timeout: 60 })
    await room.until(taskID, running)
    await expect.poll(async () => (await room.rows(taskID))[0]?.sentTime).toBeGreaterThan(0)
    // The history of commands gives up after ten seconds; the task has its own time.
    room.world.clock.advance(30_000)
    await lamp.quiet()
    expect(await room.rows(taskID)).toMatchObject([{ status: running }])
    room.world.clock.advance(31_000)
    await room.until(taskID, failed)
    expect(await room.rows(taskID)).toMatchObject([{ code: errors.deviceTimeout.code, msg: '超时', reply: '' }])
  })

  test('an answer that comes after the time of a command, but within that of the task, counts', async () => {
    const lamp = await room.lamp(silent)
    const taskID = await room.create([lamp], { timeout: 600 })
    await expect.poll(() => lamp.heard.length).toBe(1)
    await expect.poll(async () => (await room.rows(taskID))[0]?.sentTime).toBeGreaterThan(0)
    room.world.clock.advance(60_000)
    await lamp.publish('thing/property', {
      method: 'control_reply',
      clientToken: lamp.heard[0]?.clientToken,
      code: 200,
    })
    await room.until(taskID, success)
  })

  test('a failing device is tried again as often as the task says', async () => {
    let tries = 0
    const lamp = await room.lamp(() => ({ code: ++tries < 3 ? 500 : 200 }))
    const taskID = await room.create([lamp], { retryCount: 2, retryInterval: 0 })
    await room.until(taskID, success)
    expect(await room.rows(taskID)).toMatchObject([{ status: success, attempts: 3 }])
    const stubborn = await room.lamp(refuses)
    const other = await room.create([stubborn], { retryCount: 1, retryInterval: 0 })
    await room.until(other, failed)
    expect(stubborn.heard).toHaveLength(2)
    expect(await room.rows(other)).toMatchObject([{ attempts: 2, code: 430 }])
  })
})

describe('offline devices', () => {
  test('strategy 0 writes the shadow', async () => {
    const key = await room.device()
    const taskID = await room.create([key], { shadowControl: 0 })
    await room.until(taskID, success)
    expect(await room.rows(taskID)).toMatchObject([
      { status: success, msg: expect.stringContaining('影子'), reply: '' },
    ])
    const { list } = await room.world.asAdmin(listShadow, key)
    expect(list).toMatchObject([{ dataID: 'power' }])
  })

  test('strategy 1 fails at once, without another try', async () => {
    const key = await room.device()
    const taskID = await room.create([key], { shadowControl: 1, retryCount: 3, retryInterval: 0 })
    await room.until(taskID, failed)
    expect(await room.rows(taskID)).toMatchObject([
      { status: failed, code: errors.notOnline.code, msg: '设备离线', attempts: 1 },
    ])
  })

  test('strategy 2 writes the shadow even of a device that is there', async () => {
    const lamp = await room.lamp()
    const taskID = await room.create([lamp], { shadowControl: 2 })
    await room.until(taskID, success)
    await lamp.quiet()
    expect(lamp.heard).toEqual([])
  })

  test('an action and a configuration fail, tried again as configured', async () => {
    const key = await room.device()
    const action = { taskType: TaskType.action, actionID: 'blink', inputParams: json({ times: 1 }) }
    const taskID = await room.create([key], { ...action, retryCount: 1, retryInterval: 0 })
    await room.until(taskID, failed)
    expect(await room.rows(taskID)).toMatchObject([{ code: errors.notOnline.code, msg: '设备离线', attempts: 2 }])
    await room.world.asAdmin(createConfig, { productID: room.productID, content: json({ b: 1 }) })
    const config = await room.create([key], { taskType: TaskType.config })
    await room.until(config, failed)
    expect(await room.rows(config)).toMatchObject([{ msg: '设备离线' }])
  })

  test('those that are tried again are told of, make no forecast, and can be left out alone', async () => {
    const [lamp, away] = [await room.lamp(silent), await room.device()]
    const action = { taskType: TaskType.action, actionID: 'blink', inputParams: json({ times: 1 }) }
    const taskID = await room.create([lamp, away], { ...action, retryCount: 5, retryInterval: 3_600 })
    await expect.poll(() => room.runs(taskID)).toMatchObject([{ away: 1, failed: 0 }])
    const onScreen = async () =>
      (await room.world.asAdmin(readHomeSummary)).running.list.find(({ id }) => id === String(taskID))
    await expect.poll(onScreen).toMatchObject({ away: 1, secondsLeft: 0 })
    expect(await room.world.asAdmin(cancelTask, { taskID, away: true })).toEqual({ done: 1 })
    expect(await room.runs(taskID)).toMatchObject([{ away: 0 }])
    expect((await room.rows(taskID)).map(({ msg }) => msg)).toEqual(['', cancelledText])
  })

  test('with onlineOnly they are left out when the run begins', async () => {
    const [lamp, away] = [await room.lamp(), await room.device()]
    const taskID = await room.create([lamp, away], { onlineOnly: true })
    await room.until(taskID, success)
    expect(await room.rows(taskID)).toMatchObject([{ deviceName: lamp.key.deviceName }])
    // Nobody there: nothing to run.
    await lamp.end()
    const { world } = room
    await expect.poll(async () => (await world.asAdmin(readDevice, lamp.key)).isOnline).toBe(2)
    expect(await world.call(runTask, { taskID }, { token: world.admin })).toMatchObject({
      code: errors.parameter.code,
      msg: expect.stringContaining('没有在线的目标设备'),
    })
  })
})

describe('cancel and retry', () => {
  test('a run is cancelled in the middle: what waits and what was sent ends, what is over stays', async () => {
    const lamps = [await room.lamp(), await room.lamp(silent), await room.lamp(silent)]
    const taskID = await room.create(lamps, { timeout: 600 })
    await expect.poll(async () => (await room.task(taskID)).success).toBe(1)
    await expect.poll(() => lamps.every(({ heard }) => heard.length === 1)).toBe(true)
    const named = await room.world.asAdmin(cancelTask, { taskID, deviceNames: [lamps[1]?.key.deviceName ?? ''] })
    expect(named).toEqual({ done: 1 })
    expect((await room.task(taskID)).status).toBe(running)
    expect(await room.world.asAdmin(cancelTask, { taskID })).toEqual({ done: 1 })
    expect(await room.rows(taskID)).toMatchObject([
      { status: success },
      { status: failed, msg: cancelledText },
      { status: failed, msg: cancelledText },
    ])
    expect(await room.task(taskID)).toMatchObject({ status: failed, failed: 2, reason: cancelledText })
    // Again: nothing is left to cancel.
    expect(await room.world.asAdmin(cancelTask, { taskID })).toEqual({ done: 0 })
    // A late answer changes nothing.
    const late = { method: 'control_reply', clientToken: lamps[2]?.heard[0]?.clientToken, code: 200 }
    await lamps[2]?.publish('thing/property', late)
    await lamps[2]?.quiet()
    expect((await room.task(taskID)).success).toBe(1)
  })

  test('the failed ones are tried again, one or all; those that succeeded are not', async () => {
    const [good, bad, worse] = [await room.lamp(), await room.lamp(refuses), await room.lamp(refuses)]
    const taskID = await room.create([good, bad, worse])
    await room.until(taskID, failed)
    bad.manners = obeys
    worse.manners = obeys
    const one = await room.world.asAdmin(retryTask, { taskID, deviceNames: [bad.key.deviceName, good.key.deviceName] })
    expect(one).toEqual({ done: 1 })
    await expect.poll(async () => (await room.task(taskID)).success).toBe(2)
    await room.until(taskID, failed)
    expect(await room.world.asAdmin(retryTask, { taskID })).toEqual({ done: 1 })
    await room.until(taskID, success)
    expect([good.heard.length, bad.heard.length, worse.heard.length]).toEqual([1, 2, 2])
    // screens.md 7.3: another round goes on counting.
    expect((await room.rows(taskID)).map((row) => row.attempts).sort()).toEqual([1, 2, 2])
    expect(await room.runs(taskID)).toHaveLength(1)
  })

  test('running it again is refused while it runs, and begins another run afterwards', async () => {
    const lamp = await room.lamp(silent)
    const { world } = room
    const taskID = await room.create([lamp], { timeout: 600 })
    await room.until(taskID, running)
    expect(await world.call(runTask, { taskID }, { token: world.admin })).toMatchObject({ code: errors.ongoing.code })
    await world.asAdmin(cancelTask, { taskID })
    lamp.manners = obeys
    const { runID } = await world.asAdmin(runTask, { taskID })
    await room.until(taskID, success)
    const runs = await room.runs(taskID)
    expect(runs).toMatchObject([
      { runID, trigger: 'manual', status: success, total: 1, success: 1 },
      { status: failed, failed: 1, reason: cancelledText },
    ])
    // Each run keeps what became of its devices.
    expect(await room.rows(taskID, runs[1]?.runID)).toMatchObject([{ msg: cancelledText }])
  })
})

test('too many failures end the run; the rest is not sent and says why', async () => {
  const lamps = []
  for (let i = 0; i < 6; i += 1) lamps.push(await room.lamp(refuses))
  // One a minute, and the next minute comes when the last answer is counted: by then the breaker has looked.
  const taskID = await room.create(lamps, { failStop: 50, rate: 1 })
  const nextMinute = async (what: 'failed' | 'success', count: number) => {
    await expect.poll(async () => (await room.task(taskID))[what]).toBe(count)
    room.world.clock.advance(60_000)
  }
  for (const count of [1, 2]) await nextMinute('failed', count)
  await room.until(taskID, failed)
  const rows = await room.rows(taskID)
  const untouched = rows.filter(({ msg }) => msg.includes('已熔断'))
  expect(untouched.length).toBeGreaterThan(0)
  expect(rows.filter(({ code }) => code === 430).length).toBeGreaterThanOrEqual(3)
  expect((await room.task(taskID)).reason).toBe('失败率达到 100%，已熔断')
  expect(lamps.filter(({ heard }) => heard.length > 0).length).toBeLessThan(6)
  // People may go on in spite of it.
  for (const lamp of lamps) lamp.manners = obeys
  expect(await room.world.asAdmin(retryTask, { taskID })).toEqual({ done: 6 })
  for (const count of [1, 2, 3, 4, 5]) await nextMinute('success', count)
  await room.until(taskID, success)
  expect(await room.task(taskID)).toMatchObject({ success: 6, failed: 0, reason: '' })
})

test('one device of a run that the breaker ended is tried again, whatever the others did', async () => {
  const lamps = []
  for (let i = 0; i < 4; i += 1) lamps.push(await room.lamp(refuses))
  const taskID = await room.create(lamps, { failStop: 50 })
  await room.until(taskID, failed)
  const [chosen] = lamps.filter(({ heard }) => heard.length > 0)
  if (!chosen) throw new Error('nobody was sent to')
  chosen.manners = obeys
  const { deviceName } = chosen.key
  expect(await room.world.asAdmin(retryTask, { taskID, deviceNames: [deviceName] })).toEqual({ done: 1 })
  await expect.poll(() => chosen.heard.length).toBe(2)
  await expect.poll(async () => (await room.task(taskID)).success).toBe(1)
  await room.until(taskID, failed)
  expect((await room.rows(taskID)).find((row) => row.deviceName === deviceName)).toMatchObject({ status: success })
  // The others stay as they were.
  expect(await room.task(taskID)).toMatchObject({ success: 1, failed: 3 })
})

test('a device that is deleted meanwhile fails, the others go on', async () => {
  const [lamp, gone] = [await room.lamp(), await room.device()]
  const taskID = await room.create([gone, lamp], { targetType: TaskTarget.devices, shadowControl: 1 })
  await room.until(taskID, failed)
  await room.world.db.deleteFrom('device').where('device_name', '=', gone.deviceName).execute()
  await room.world.asAdmin(retryTask, { taskID })
  await expect
    .poll(async () => (await room.rows(taskID)).find((row) => row.deviceName === gone.deviceName)?.msg)
    .toBe('设备已删除')
  // A run of later leaves it out.
  await room.until(taskID, failed)
  await room.world.asAdmin(runTask, { taskID })
  await room.until(taskID, success)
  expect(await room.rows(taskID)).toHaveLength(1)
})
