/** What a stop or a crash in the middle leaves behind is found and brought to its end. */
import {
  createTask,
  DeployStatus,
  readTask,
  TaskSchedule,
  TaskTarget,
  TaskType,
} from '@ithings/contract/features/tasks.ts'
import { fill, sayKept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RowState, RunState } from '#features/rollouts/door.ts'
import { openWorld } from '#testing/world.ts'
import { obeys, openTaskRoom, silent, type TaskRoom } from './testing/task-room.ts'

let room: TaskRoom
beforeEach(async () => {
  room = await openTaskRoom()
})
afterEach(() => room.close())

const { success, failed } = DeployStatus
/** The regular look for what was left behind. */
const mendMs = 11_000

test('a run goes on after a restart, and nobody is sent to twice', async () => {
  const lamps = [await room.lamp(), await room.lamp(silent), await room.lamp(silent)]
  const keys = lamps.map(({ key }) => key)
  // One in ten seconds: the third has to wait for the next server.
  const taskID = await room.create(lamps, { rate: 6, timeout: 600 })
  await expect.poll(async () => (await room.task(taskID)).success).toBe(1)
  room.world.clock.advance(10_000)
  await expect.poll(() => lamps[1]?.heard.length).toBe(1)
  await room.world.app.close()
  expect(lamps[2]?.heard).toEqual([])
  const next = await openWorld({ databaseUrl: room.world.url })
  // It goes on where the clock of the first one stood.
  next.clock.advance(room.world.clock.now() - next.clock.now())
  try {
    const [, second, third] = await Promise.all(keys.map((key) => room.connect(key, obeys, next)))
    next.clock.advance(60_000)
    await expect.poll(() => third?.heard.length).toBe(1)
    // What the second got before is answered now.
    const clientToken = lamps[1]?.heard[0]?.clientToken
    await second?.publish('thing/property', { method: 'control_reply', clientToken, code: 200 })
    await expect.poll(async () => (await next.asAdmin(readTask, { taskID })).status).toBe(success)
    expect(second?.heard).toEqual([])
  } finally {
    await room.leaveAll()
    await next.close()
  }
})

test('after a start devices have a moment to come back before they are called offline', async () => {
  const [comes, stays] = [await room.device(), await room.device()]
  await room.world.app.close()
  const next = await openWorld({ databaseUrl: room.world.url })
  try {
    const action = { taskType: TaskType.action, actionID: 'blink', inputParams: '{"times":1}' }
    const { taskID } = await next.asAdmin(createTask, room.body([comes, stays], action))
    const rows = async () => {
      const stored = next.db.selectFrom('rollout_device').select(['msg', 'state', 'attempts']).orderBy('position')
      return (await stored.execute()).map((row) => ({ ...row, msg: sayKept(row.msg, fill) }))
    }
    const parked = { state: RowState.waiting, msg: '等待设备重新连接' }
    await expect.poll(rows).toMatchObject([parked, parked])
    await room.connect(comes, obeys, next)
    await expect.poll(rows).toMatchObject([{ state: RowState.success }, parked])
    next.clock.advance(16_000)
    const away = { state: RowState.failed, msg: '设备离线', attempts: 1 }
    await expect.poll(rows).toMatchObject([{ state: RowState.success, attempts: 1 }, away])
    await expect.poll(async () => (await next.asAdmin(readTask, { taskID })).status).toBe(failed)
  } finally {
    await room.leaveAll()
    await next.close()
  }
})

test('an answer that was stored but not passed on is found', async () => {
  const lamp = await room.lamp(silent)
  const taskID = await room.create([lamp], { timeout: 600 })
  await expect.poll(async () => (await room.rows(taskID))[0]?.sentTime).toBeGreaterThan(0)
  await sql`update device_command set code = 430, status = '灯泡已坏', done_at = sent_at + 5`.execute(room.world.db)
  room.world.clock.advance(mendMs)
  await room.until(taskID, failed)
  expect(await room.rows(taskID)).toMatchObject([{ code: 430, msg: '灯泡已坏' }])
})

test('an action that was on its way when a server died is not called again', async () => {
  const lamp = await room.lamp(silent)
  const action = { taskType: TaskType.action, actionID: 'blink', inputParams: '{"times":1}' }
  const taskID = await room.create([lamp], { ...action, timeout: 600, retryCount: 3 })
  await expect.poll(async () => (await room.rows(taskID))[0]?.sentTime).toBeGreaterThan(0)
  // As if the server had not come to say that it was sent.
  await sql`update rollout_device set sent_at = 0, due_at = 1, claimed_by = 'dead'`.execute(room.world.db)
  await room.until(taskID, failed)
  expect(await room.rows(taskID)).toMatchObject([{ msg: expect.stringContaining('结果未知'), attempts: 1 }])
  await lamp.quiet()
  expect(lamp.heard).toHaveLength(1)
})

test('a run whose devices were never listed is listed after all', async () => {
  const lamp = await room.lamp()
  const { world, productID } = room
  const target = { targetType: TaskTarget.product, deviceNames: null }
  const cron = { scheduleType: TaskSchedule.cron, cron: '0 0 0 1 1 *' }
  const taskID = await room.create([], { ...target, ...cron })
  await sql`
    with run as (
      insert into rollout (kind, owner_id, product_id, topic, state, per_minute, start_at, created_at)
      values ('task', ${taskID}, ${productID}, 'task/1', ${RunState.preparing}, 600, 1, 1) returning run_id)
    update device_task set last_run = run.run_id from run`.execute(world.db)
  world.clock.advance(mendMs)
  await room.until(taskID, success)
  expect(lamp.heard).toHaveLength(1)
})
