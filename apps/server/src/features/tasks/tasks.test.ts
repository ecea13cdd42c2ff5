/** Saving, reading and listing device tasks (screens.md 7), without devices that answer. */

import { errors } from '@ithings/contract/errors.ts'
import { sendProperty } from '@ithings/contract/features/commands.ts'
import { deleteDevice } from '@ithings/contract/features/devices/info.ts'
import { addGroupDevices, createGroup } from '@ithings/contract/features/groups.ts'
import { readJob } from '@ithings/contract/features/jobs.ts'
import { createConfig } from '@ithings/contract/features/remote-config.ts'
import { exportTask, listTaskDevices, listTaskRuns } from '@ithings/contract/features/task-results.ts'
import {
  cancelTask,
  createTask,
  DeployStatus,
  deleteTask,
  listTasks,
  previewTask,
  readTask,
  retryTask,
  runTask,
  setTaskStatus,
  TaskSchedule,
  TaskTarget,
  TaskType,
  updateTask,
} from '@ithings/contract/features/tasks.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sealed } from '#db/sealed-column.ts'
import { makeLampProduct } from '#features/commands/testing/commands-server.ts'
import { activate, makeDevice, untilJobEnds } from '#features/devices/testing/make-devices.ts'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'
import type { World } from '#testing/world.ts'
import { dropSpareTaskRuns } from './drop-old-runs.ts'
import { openTaskRoom, type TaskRoom } from './testing/task-room.ts'

let room: TaskRoom
let world: World
beforeAll(async () => {
  room = await openTaskRoom()
  world = room.world
})
afterAll(() => room.close())

const json = JSON.stringify
const { waiting, success, failed } = DeployStatus
const inAnHour = () => Math.floor(world.clock.now() / 1000) + 3600
const ask = <E extends Parameters<World['call']>[0]>(endpoint: E, body: object) =>
  world.call(endpoint, body, { token: world.admin })
const later = () => ({ scheduleType: TaskSchedule.once, runAt: inAnHour() })
const yearly = { scheduleType: TaskSchedule.cron, cron: '0 0 0 1 1 *' }

async function makeGroup(fields: { parentID?: number } = {}): Promise<number> {
  return Number((await world.asAdmin(createGroup, { groupName: uniqueText('组'), ...fields })).groupID)
}

describe('what is refused, with the field', () => {
  test.each([
    ['an unknown product', { productID: 'P0000000zzz' }, errors.notFound.code, 'P0000000zzz'],
    ['a name of nothing', { taskName: ' ' }, errors.parameter.code, 'taskName'],
    ['no devices', { deviceNames: [] }, errors.parameter.code, '请选择设备'],
    ['a group without its number', { targetType: 3 }, errors.parameter.code, '请选择分组'],
    ['a group that does not exist', { targetType: 3, groupID: 987_654 }, errors.notFound.code, '分组 987654 不存在'],
    ['no properties', { data: '' }, errors.parameter.code, '请填写属性'],
    ['properties that are no JSON', { data: '{' }, errors.parameter.code, 'data'],
    ['an empty object', { data: '{}' }, errors.parameter.code, '没有要设置的属性'],
    ['an unknown property', { data: json({ nose: 1 }) }, errors.parameter.code, '属性 nose'],
    ['a property that can only be read', { data: json({ temp: 1 }) }, errors.parameter.code, '只读'],
    ['a value of another type', { data: json({ level: 'high' }) }, errors.parameter.code, 'level'],
    ['a value out of range', { data: json({ level: 105 }) }, errors.outOfRange.code, 'level'],
    ['only the shadow for a property without', { data: json({ hue: 1 }), shadowControl: 2 }, 100006, 'hue'],
    ['an unknown action', { taskType: 2, actionID: 'jump' }, errors.parameter.code, '行为 jump'],
    ['an action of the device', { taskType: 2, actionID: 'help' }, errors.parameter.code, '不能下发'],
    ['an action without its input', { taskType: 2, actionID: 'blink' }, errors.parameter.code, 'times'],
    ['a configuration that is not there', { taskType: 3, configID: 999_999 }, errors.notFound.code, '999999'],
    ['a moment that is over', { scheduleType: 2, runAt: 1_700_000_000 }, errors.parameter.code, '不能早于现在'],
    ['no moment', { scheduleType: 2 }, errors.parameter.code, '请选择执行时间'],
    ['a cron of five fields', { scheduleType: 3, cron: '0 0 1 1 *' }, errors.parameter.code, 'Cron'],
    ['a cron that never comes', { scheduleType: 3, cron: '0 0 0 31 2 *' }, errors.parameter.code, 'Cron'],
    ['a validity that is over', { ...yearly, validEnd: 1_700_000_000 }, errors.parameter.code, '有效期'],
    ['a validity that ends before it begins', { ...yearly, validStart: 9, validEnd: 8 }, 100006, '有效期'],
    ['a time-out beyond the limit', { timeout: 601 }, errors.parameter.code, 'timeout'],
    ['a rate of nothing', { rate: 0 }, errors.parameter.code, 'rate'],
  ])('%s', async (_, fields, code, words) => {
    const key = await room.device()
    const answer = await ask(createTask, { ...room.body([key]), ...fields })
    expect(answer).toMatchObject({ status: 400, code, msg: expect.stringContaining(words) })
  })

  test('devices that the product does not have are named', async () => {
    const [key, other] = [await room.device(), await makeLampProduct(world)]
    const stranger = await makeDevice(world, other)
    const names = [key.deviceName, stranger.deviceName, 'ghost-1']
    const answer = await ask(createTask, { ...room.body([]), deviceNames: names })
    expect(answer).toMatchObject({
      code: errors.notFound.code,
      msg: expect.stringContaining(`2 台设备：${stranger.deviceName}、ghost-1`),
    })
  })

  test('a product without devices has nothing to run at once, but may be scheduled', async () => {
    const productID = await makeLampProduct(world)
    const body = { ...room.body([]), productID, targetType: TaskTarget.product }
    expect(await ask(createTask, body)).toMatchObject({ code: errors.parameter.code })
    expect(await ask(createTask, { ...body, ...yearly })).toMatchObject({ code: 200 })
  })

  test('whoever lacks the right may not', async () => {
    const { token } = await makeSignedIn(world, { role: await makeRole(world, [listTasks]) })
    const body = room.body([await room.device()])
    expect(await world.call(createTask, body, { token })).toMatchObject({ status: 403 })
    expect(await world.call(listTasks, {}, { token })).toMatchObject({ code: 200 })
  })

  test('whoever may not send a command may not have a task send it', async () => {
    const rights = [createTask, updateTask, runTask, retryTask, setTaskStatus]
    const { token } = await makeSignedIn(world, { role: await makeRole(world, rights) })
    const body = room.body([await room.device()], later())
    const taskID = await room.create([await room.device()], yearly)
    for (const answer of [
      await world.call(createTask, body, { token }),
      await world.call(updateTask, { ...body, taskID, rev: 1 }, { token }),
      await world.call(runTask, { taskID }, { token }),
      await world.call(retryTask, { taskID }, { token }),
      await world.call(setTaskStatus, { taskID, isEnable: 2 }, { token }),
    ]) {
      expect(answer).toMatchObject({ status: 403, msg: expect.stringContaining(sendProperty.name) })
    }
    const allowed = await makeSignedIn(world, { role: await makeRole(world, [...rights, sendProperty]) })
    expect(await world.call(createTask, body, allowed)).toMatchObject({ code: 200 })
  })
})

test('what was saved is read back, only what counts', async () => {
  const { configID } = await world
    .asAdmin(createConfig, { productID: room.productID, content: json({ a: 1 }) })
    .then(async () => ({
      configID: (await world.db.selectFrom('remote_config').select('id').executeTakeFirstOrThrow()).id,
    }))
  const groupID = await makeGroup()
  const taskID = await room.create([], {
    taskName: '夜间配置',
    desc: '每天',
    taskType: TaskType.config,
    configID,
    targetType: TaskTarget.group,
    groupID,
    includeChildren: false,
    deviceNames: ['ignored'],
    scheduleType: TaskSchedule.cron,
    cron: '0 0 3 * * *',
    validEnd: inAnHour() + 864_000,
    failStop: 20,
    retryCount: 2,
  })
  const task = await world.asAdmin(readTask, { taskID })
  expect(task).toMatchObject({
    taskID,
    taskName: '夜间配置',
    desc: '每天',
    taskType: TaskType.config,
    configID,
    data: '',
    deviceNames: [],
    targetType: TaskTarget.group,
    groupID: String(groupID),
    includeChildren: false,
    cron: '0 0 3 * * *',
    status: waiting,
    isEnable: 1,
    timeout: 30,
    retryCount: 2,
    retryInterval: 60,
    failStop: 20,
    lastRunID: '',
    lastRunTime: 0,
    rev: 1,
  })
  expect(task.targetName).not.toBe('')
  expect(new Date(task.nextRunTime * 1000).getHours()).toBe(3)
  expect(await world.asAdmin(listTaskDevices, { taskID })).toEqual({ list: [], total: 0 })
})

describe('a preview', () => {
  test('tells of online, offline and never activated ones, and of unknown names', async () => {
    const keys = await Promise.all([room.device(), room.device(), room.device()])
    await activate(world, keys[0], true)
    await activate(world, keys[1], false)
    const choice = {
      productID: room.productID,
      targetType: TaskTarget.devices,
      deviceNames: [...keys.map((key) => key.deviceName), 'ghost'],
    }
    const all = { online: 1, offline: 1, inactive: 1, unknown: ['ghost'] }
    expect(await world.asAdmin(previewTask, choice)).toEqual({ total: 3, ...all })
    expect(await world.asAdmin(previewTask, { ...choice, onlineOnly: true })).toEqual({ total: 1, ...all })
  })

  test('of a group counts devices of the product only, with or without the groups below', async () => {
    const productID = await makeLampProduct(world)
    const [here, below] = [await makeDevice(world, productID), await makeDevice(world, productID)]
    const stranger = await room.device()
    const groupID = await makeGroup()
    const childID = await makeGroup({ parentID: groupID })
    await world.asAdmin(addGroupDevices, { groupID, list: [here, stranger] })
    await world.asAdmin(addGroupDevices, { groupID: childID, list: [below] })
    const choice = { productID, targetType: TaskTarget.group, groupID }
    expect((await world.asAdmin(previewTask, choice)).total).toBe(2)
    expect((await world.asAdmin(previewTask, { ...choice, includeChildren: false })).total).toBe(1)
    const whole = { productID, targetType: TaskTarget.product }
    expect((await world.asAdmin(previewTask, whole)).total).toBe(2)
  })
})

describe('editing', () => {
  test('a task that waits can be changed; an older edit is refused', async () => {
    const key = await room.device()
    const taskID = await room.create([key], later())
    const body = { ...room.body([key], { ...yearly, taskName: '改名' }), taskID }
    await world.asAdmin(updateTask, { ...body, rev: 1 })
    expect(await room.task(taskID)).toMatchObject({ taskName: '改名', scheduleType: TaskSchedule.cron, rev: 2 })
    expect(await ask(updateTask, { ...body, rev: 1 })).toMatchObject({ code: errors.staleEdit.code })
  })

  test('one that ran cannot; a disabled cron can, and stays disabled', async () => {
    const key = await room.device()
    const done = await room.create([key])
    await room.until(done, success)
    expect(await ask(updateTask, { ...room.body([key]), taskID: done })).toMatchObject({
      code: errors.parameter.code,
      msg: expect.stringContaining('待部署'),
    })
    const cron = await room.create([key], yearly)
    await world.asAdmin(runTask, { taskID: cron })
    await room.until(cron, success)
    const body = { ...room.body([key], yearly), taskID: cron, data: json({ power: 0 }) }
    expect(await ask(updateTask, body)).toMatchObject({ code: errors.parameter.code })
    await world.asAdmin(setTaskStatus, { taskID: cron, isEnable: 2 })
    await world.asAdmin(updateTask, body)
    expect(await room.task(cron)).toMatchObject({ isEnable: 2, nextRunTime: 0, data: json({ power: 0 }) })
    // What it did before the edit cannot be tried again with what it says now.
    expect(await ask(retryTask, { taskID: cron })).toMatchObject({ msg: expect.stringContaining('修改过') })
    await world.asAdmin(setTaskStatus, { taskID: cron, isEnable: 1 })
    expect((await room.task(cron)).nextRunTime).toBeGreaterThan(inAnHour())
  })

  test('one that is to run at once now does', async () => {
    const key = await room.device()
    const taskID = await room.create([key], later())
    await world.asAdmin(updateTask, { ...room.body([key]), taskID })
    await room.until(taskID, success)
  })

  test('only cron tasks are enabled and disabled', async () => {
    const taskID = await room.create([await room.device()], later())
    expect(await ask(setTaskStatus, { taskID, isEnable: 2 })).toMatchObject({ code: errors.parameter.code })
  })
})

test('one that was run before its moment still waits for it, and can be cancelled and deleted then', async () => {
  const once = await room.create([await room.device()], later())
  await world.asAdmin(runTask, { taskID: once })
  await room.until(once, success)
  expect((await room.task(once)).nextRunTime).toBeGreaterThan(0)
  expect(await ask(deleteTask, { taskID: once })).toMatchObject({ msg: expect.stringContaining('先取消') })
  await world.asAdmin(cancelTask, { taskID: once })
  expect(await room.task(once)).toMatchObject({ status: success, nextRunTime: 0, reason: '已取消' })
  await world.asAdmin(deleteTask, { taskID: once })
})

test('spec 4: a device of a run says whether it was ever there, and a deleted one that it is gone', async () => {
  const [seen, never, gone] = [await room.device(), await room.device(), await room.device()]
  await activate(world, seen, false)
  const taskID = await room.create([seen, never, gone], { shadowControl: 1 })
  await room.until(taskID, failed)
  await world.asAdmin(deleteDevice, gone)
  const rows = new Map((await room.rows(taskID)).map((row) => [row.deviceName, row]))
  expect(rows.get(never.deviceName)).toMatchObject({ firstLogin: '0', isOnline: 2 })
  expect(rows.get(seen.deviceName)).toMatchObject({ firstLogin: '1700000000', isOnline: 2 })
  expect(rows.get(gone.deviceName)).toMatchObject({ firstLogin: '', isOnline: 0 })
})

describe('deleting', () => {
  test('only what is over or disabled, and its runs go with it', async () => {
    const key = await room.device()
    const once = await room.create([key], later())
    expect(await ask(deleteTask, { taskID: once })).toMatchObject({ msg: expect.stringContaining('先取消') })
    await world.asAdmin(cancelTask, { taskID: once })
    expect(await room.task(once)).toMatchObject({ status: failed, reason: '已取消', nextRunTime: 0 })
    await world.asAdmin(deleteTask, { taskID: once })
    const cron = await room.create([key], yearly)
    expect(await ask(deleteTask, { taskID: cron })).toMatchObject({ msg: expect.stringContaining('先停用') })
    await world.asAdmin(runTask, { taskID: cron })
    await room.until(cron, success)
    await world.asAdmin(setTaskStatus, { taskID: cron, isEnable: 2 })
    await world.asAdmin(deleteTask, { taskID: cron })
    expect(await ask(readTask, { taskID: cron })).toMatchObject({ code: errors.notFound.code })
    await dropSpareTaskRuns(world.db)
    const left = await world.db.selectFrom('rollout').select('run_id').where('owner_id', '=', cron).execute()
    expect(left).toEqual([])
  })

  test('what is unknown is said so', async () => {
    for (const endpoint of [readTask, deleteTask, runTask, cancelTask, retryTask, listTaskRuns, listTaskDevices]) {
      expect(await ask(endpoint, { taskID: 999_999 })).toMatchObject({ code: errors.notFound.code })
    }
    const taskID = await room.create([await room.device()])
    await room.until(taskID, success)
    const other = await room.create([await room.device()])
    const { lastRunID } = await room.task(other)
    expect(await ask(listTaskDevices, { taskID, runID: lastRunID })).toMatchObject({ code: errors.notFound.code })
    expect(await ask(cancelTask, { taskID, runID: 'x' })).toMatchObject({ code: errors.notFound.code })
  })
})

test('the list filters, sorts, pages and counts', async () => {
  const productID = await makeLampProduct(world)
  const key = await makeDevice(world, productID)
  const mine = (fields = {}) => room.create([key], { productID, ...fields })
  const action = { taskType: TaskType.action, actionID: 'blink', inputParams: json({ times: 1 }) }
  const done = await mine({ taskName: '甲_done' })
  const refused = await mine({ taskName: '乙', ...action })
  await room.until(done, success)
  await room.until(refused, failed)
  const [cron, once] = [await mine({ taskName: '丙', ...yearly }), await mine({ taskName: '丁%', ...later() })]
  const list = async (filter = {}) => world.asAdmin(listTasks, { productID, ...filter })
  const ids = async (filter = {}) => (await list(filter)).list.map(({ taskID }) => taskID)

  const all = await list()
  expect(all.counts).toEqual({ 0: 4, 1: 2, 2: 0, 3: 1, 4: 1 })
  expect(all.list.map(({ taskID }) => taskID)).toEqual([once, cron, refused, done])
  expect(all.list[3]).toMatchObject({
    targetCount: 1,
    total: 1,
    success: 1,
    productName: expect.stringContaining('产品'),
  })
  expect(await ids({ taskName: '甲_' })).toEqual([done])
  expect(await ids({ taskName: '%' })).toEqual([once])
  expect(await ids({ taskType: TaskType.action })).toEqual([refused])
  expect(await ids({ scheduleType: TaskSchedule.cron })).toEqual([cron])
  // The strip above the list counts all of them whichever is chosen.
  expect(await list({ status: failed })).toMatchObject({ total: 1, counts: { 0: 4, 4: 1 } })
  expect(await ids({ status: waiting })).toEqual([once, cron])
  const now = Math.floor(world.clock.now() / 1000)
  expect(await ids({ timeStart: now - 60, timeEnd: now + 1 })).toHaveLength(4)
  expect(await ids({ timeStart: now + 60 })).toEqual([])
  const page = { page: 2, size: 1, orders: [{ field: 'taskName', sort: 1 }] }
  expect(await list({ page })).toMatchObject({ total: 4, list: [{}] })
  for (const field of ['createdTime', 'lastRunTime', 'nextRunTime', 'status']) {
    expect(await ids({ page: { orders: [{ field, sort: 2 }] } })).toHaveLength(4)
  }
})

test('more devices than a call can list are listed by a job, and their results exported', async () => {
  const productID = await makeLampProduct(world)
  const many = 1_200
  await world.db
    .insertInto('device')
    .values(
      Array.from({ length: many }, (_, i) => ({
        product_id: productID,
        device_name: `many-${i}`,
        secret: `secret-${i}` as Sealed,
      })),
    )
    .execute()
  const taskID = await room.create([], { productID, targetType: TaskTarget.product, shadowControl: 1 })
  await expect.poll(async () => (await room.task(taskID)).total).toBe(many)
  await expect.poll(async () => (await room.task(taskID)).failed).toBeGreaterThan(10)
  const done = await world.asAdmin(cancelTask, { taskID })
  expect(done.done).toBeGreaterThan(0)
  await room.until(taskID, failed)
  expect(await room.task(taskID)).toMatchObject({ total: many, failed: many })
  const { jobID } = await world.asAdmin(exportTask, { taskID, reason: '已取消' })
  await untilJobEnds(world, jobID)
  const { fileUri } = await world.asAdmin(readJob, { jobID })
  const file = await world.app.http.inject({ url: fileUri })
  const lines = file.body.trim().split('\r\n')
  expect(lines[0]).toContain('设备名称,设备别名,状态')
  expect(lines).toHaveLength(done.done + 1)
  expect(lines.at(-1)).toContain(`many-${many - 1},,部署失败,0,已取消`)
})
