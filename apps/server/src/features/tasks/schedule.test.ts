/** Schedules of device tasks: on time, late, once over several servers, never over each other (screens.md 7.3). */

import { createGroup, deleteGroup } from '@ithings/contract/features/groups.ts'
import { deleteProduct } from '@ithings/contract/features/products.ts'
import { DeployStatus, readTask, setTaskStatus, TaskSchedule, TaskTarget } from '@ithings/contract/features/tasks.ts'
import { deleteSchema } from '@ithings/contract/features/thing-model.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Sealed } from '#db/sealed-column.ts'
import { makeLampProduct } from '#features/commands/testing/commands-server.ts'
import { uniqueText } from '#testing/people.ts'
import type { World } from '#testing/world.ts'
import { openTaskRoom, silent, type TaskRoom } from './testing/task-room.ts'

let room: TaskRoom
let world: World
beforeAll(async () => {
  room = await openTaskRoom()
  world = room.world
})
afterEach(async () => {
  await room.leaveAll()
  await world.db.updateTable('device_task').set({ next_run_at: null }).execute()
})
afterAll(() => room.close())

const { waiting, running, success, failed } = DeployStatus
const everyMinute = { scheduleType: TaskSchedule.cron, cron: '0 * * * * *' }
const everyHour = { scheduleType: TaskSchedule.cron, cron: '0 0 * * * *' }
const nowSeconds = (at = world) => Math.floor(at.clock.now() / 1000)

/** To the next moment of the task, and a bit. */
async function comeNext(taskID: number, lateMs = 50, at = world): Promise<void> {
  const { nextRunTime } = await at.asAdmin(readTask, { taskID })
  expect(nextRunTime).toBeGreaterThan(0)
  at.clock.advance(nextRunTime * 1000 - at.clock.now() + lateMs)
}

describe('once', () => {
  test('it waits for its moment', async () => {
    const lamp = await room.lamp()
    const taskID = await room.create([lamp], { scheduleType: TaskSchedule.once, runAt: nowSeconds() + 600 })
    world.clock.advance(300_000)
    await lamp.quiet()
    expect(await room.task(taskID)).toMatchObject({ status: waiting, lastRunID: '' })
    world.clock.advance(301_000)
    await room.until(taskID, success)
    expect(await room.task(taskID)).toMatchObject({ nextRunTime: 0, success: 1 })
    expect(await room.runs(taskID)).toMatchObject([{ trigger: 'timer', status: success }])
    expect(lamp.heard).toHaveLength(1)
  })

  test('it runs late when the platform was down at its moment', async () => {
    const key = await room.device()
    const taskID = await room.create([key], { scheduleType: TaskSchedule.once, runAt: nowSeconds() + 60 })
    world.clock.advance(7_200_000)
    await room.until(taskID, success)
  })
})

describe('cron', () => {
  test('it runs at each of its times; devices are found anew by each run', async () => {
    const productID = await makeLampProduct(world)
    const target = { productID, targetType: TaskTarget.product, deviceNames: null }
    const taskID = await room.create([], { ...target, ...everyHour })
    await comeNext(taskID)
    await expect.poll(async () => (await room.task(taskID)).lastRunID).not.toBe('')
    expect(await room.task(taskID)).toMatchObject({ status: success, total: 0, reason: '没有目标设备' })
    await world.db
      .insertInto('device')
      .values({ product_id: productID, device_name: 'late', secret: 'secret' as Sealed })
      .execute()
    const { nextRunTime } = await room.task(taskID)
    await comeNext(taskID)
    await expect.poll(async () => (await room.task(taskID)).success).toBe(1)
    expect((await room.task(taskID)).nextRunTime).toBe(nextRunTime + 3600)
    expect(await room.runs(taskID)).toHaveLength(2)
  })

  test('a time that comes while a run is open is skipped, and the runs tell of it in one line', async () => {
    const lamp = await room.lamp(silent)
    const taskID = await room.create([lamp], { ...everyMinute, timeout: 600 })
    await comeNext(taskID)
    await expect.poll(async () => (await room.rows(taskID))[0]?.sentTime).toBeGreaterThan(0)
    await comeNext(taskID)
    const reasons = async () => (await room.runs(taskID)).map(({ reason }) => reason)
    await expect.poll(reasons).toEqual(['上一次执行尚未结束，已跳过 1 次', ''])
    await comeNext(taskID)
    await expect.poll(reasons).toEqual(['上一次执行尚未结束，已跳过 2 次', ''])
    expect(await room.runs(taskID)).toMatchObject([{ status: failed, total: 0 }, { status: running }])
    // The task itself is still what its open run is.
    expect((await room.task(taskID)).status).toBe(running)
    await lamp.publish('thing/property', {
      method: 'control_reply',
      clientToken: lamp.heard[0]?.clientToken,
      code: 200,
    })
    await room.until(taskID, success)
    await comeNext(taskID)
    await expect.poll(() => lamp.heard.length).toBe(2)
    expect(await room.runs(taskID)).toHaveLength(3)
  })

  test('disabled it does not come, enabled it does again', async () => {
    const lamp = await room.lamp()
    const taskID = await room.create([lamp], everyMinute)
    await world.asAdmin(setTaskStatus, { taskID, isEnable: 2 })
    expect(await room.task(taskID)).toMatchObject({ isEnable: 2, nextRunTime: 0 })
    world.clock.advance(120_000)
    await lamp.quiet()
    expect(lamp.heard).toEqual([])
    await world.asAdmin(setTaskStatus, { taskID, isEnable: 1 })
    await comeNext(taskID)
    await room.until(taskID, success)
  })

  test('after its validity it rests and says so', async () => {
    const key = await room.device()
    const hour = Math.ceil((nowSeconds() + 1) / 3600) * 3600
    const taskID = await room.create([key], { ...everyHour, validStart: hour, validEnd: hour + 60 })
    expect((await room.task(taskID)).nextRunTime).toBe(hour)
    await comeNext(taskID)
    await room.until(taskID, success)
    expect(await room.task(taskID)).toMatchObject({ isEnable: 2, nextRunTime: 0, reason: '有效期已结束' })
    const again = await world.call(setTaskStatus, { taskID, isEnable: 1 }, { token: world.admin })
    expect(again).toMatchObject({ code: 100006, msg: expect.stringContaining('有效期') })
  })

  test('times that were missed while the platform was down are not made up for, and told', async () => {
    const lamp = await room.lamp()
    const taskID = await room.create([lamp], everyHour)
    const { nextRunTime } = await room.task(taskID)
    await comeNext(taskID, 3 * 3_600_000 + 600_000)
    await expect.poll(async () => (await room.task(taskID)).nextRunTime).toBe(nextRunTime + 4 * 3600)
    expect(await room.runs(taskID)).toMatchObject([{ reason: expect.stringContaining('错过'), total: 0 }])
    await lamp.quiet()
    expect(lamp.heard).toEqual([])
    await comeNext(taskID)
    await room.until(taskID, success)
  })
})

describe('what it was for is gone', () => {
  test('a cron of a group that was deleted rests with the reason', async () => {
    const groupID = Number((await world.asAdmin(createGroup, { groupName: uniqueText('组') })).groupID)
    const taskID = await room.create([], { targetType: TaskTarget.group, groupID, deviceNames: null, ...everyHour })
    await world.asAdmin(deleteGroup, { groupID })
    await expect.poll(async () => (await room.task(taskID)).isEnable).toBe(2)
    expect(await room.task(taskID)).toMatchObject({ nextRunTime: 0, reason: '分组已删除' })
  })

  test('a task of a product that was deleted rests with the reason', async () => {
    const productID = await makeLampProduct(world)
    const target = { productID, targetType: TaskTarget.product, deviceNames: null }
    const cron = await room.create([], { ...target, ...everyHour })
    const once = await room.create([], { ...target, scheduleType: TaskSchedule.once, runAt: nowSeconds() + 600 })
    await world.asAdmin(deleteProduct, { productID })
    await expect.poll(async () => (await room.task(cron)).isEnable).toBe(2)
    expect(await room.task(cron)).toMatchObject({ reason: '产品已删除', productName: '' })
    await expect.poll(async () => (await room.task(once)).status).toBe(failed)
    expect(await room.task(once)).toMatchObject({ reason: '产品已删除', nextRunTime: 0 })
  })

  test('a cron whose property is gone fails once and rests', async () => {
    const productID = await makeLampProduct(world)
    const target = { productID, targetType: TaskTarget.product, deviceNames: null }
    const taskID = await room.create([], { ...target, ...everyHour })
    await world.asAdmin(deleteSchema, { productID, identifier: 'power' })
    await comeNext(taskID)
    await room.until(taskID, failed)
    expect(await room.task(taskID)).toMatchObject({
      isEnable: 2,
      nextRunTime: 0,
      reason: expect.stringContaining('power'),
    })
    expect(await room.runs(taskID)).toMatchObject([{ status: failed, reason: expect.stringContaining('power') }])
  })
})
