/** Old runs, listings that failed, and what refers to a model. */
import { errors } from '@ithings/contract/errors.ts'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import {
  cancelTask,
  createTask,
  DeployStatus,
  retryTask,
  runTask,
  setTaskStatus,
  TaskSchedule,
  TaskTarget,
  TaskType,
} from '@ithings/contract/features/tasks.ts'
import { listSchemaReferences } from '@ithings/contract/features/thing-model.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RunState } from '#features/rollouts/door.ts'
import { dropSpareTaskRuns } from './drop-old-runs.ts'
import { openTaskRoom, refuses, silent, type TaskRoom } from './testing/task-room.ts'

let room: TaskRoom
beforeAll(async () => {
  room = await openTaskRoom()
})
afterAll(() => room.close())

const { success, failed } = DeployStatus
const yearly = { scheduleType: TaskSchedule.cron, cron: '0 0 0 1 1 *' }

test('runs beyond a number go, the latest stays; those of nobody go too', async () => {
  const { db } = room.world
  const key = await room.device()
  const taskID = await room.create([key], yearly)
  for (let i = 0; i < 4; i += 1) {
    await room.world.asAdmin(runTask, { taskID })
    await expect.poll(async () => (await room.runs(taskID))[0]?.finishedTime).toBeGreaterThan(0)
  }
  const rows = () => db.selectFrom('rollout_device').select('id').execute()
  expect(await rows()).toHaveLength(4)
  expect(await dropSpareTaskRuns(db)).toBe(0)
  expect(await dropSpareTaskRuns(db, 3)).toBe(1)
  expect(await rows()).toHaveLength(3)
  expect(await dropSpareTaskRuns(db, 0)).toBe(2)
  expect(await room.runs(taskID)).toHaveLength(1)
  expect(await room.task(taskID)).toMatchObject({ status: success, total: 1 })
  await db.deleteFrom('device_task').where('task_id', '=', taskID).execute()
  expect(await dropSpareTaskRuns(db)).toBe(1)
  expect(await rows()).toEqual([])
})

test('a run whose listing was cancelled ends with the reason', async () => {
  const { world, productID } = room
  const taskID = await room.create([], { targetType: TaskTarget.product, deviceNames: null, ...yearly })
  await sql`
    with run as (
      insert into rollout (kind, owner_id, product_id, topic, state, per_minute, start_at, created_at)
      values ('task', ${taskID}, ${productID}, 'task/1', ${RunState.preparing}, 600, 1, 1) returning run_id),
    made as (
      insert into job (job_id, kind, title, status, input, deadline_at)
      select 'cancelled-job', 'task.prepare', '', ${JobStatus.cancelled}, jsonb_build_object('runID', run_id), now() from run)
    update device_task set last_run = run.run_id from run where task_id = ${taskID}`.execute(world.db)
  world.clock.advance(11_000)
  await room.until(taskID, failed)
  expect((await room.task(taskID)).reason).toBe('没有列出目标设备：已取消')
})

test('the model knows which tasks are going to use its properties and actions', async () => {
  const { world, productID } = room
  const key = await room.device()
  const property = await room.create([key], { ...yearly, taskName: '调光', data: '{"level":5}' })
  const action = { taskType: TaskType.action, actionID: 'blink', inputParams: '{"times":1}' }
  await room.create([key], { ...yearly, ...action, taskName: '闪灯' })
  const find = async () =>
    (await world.asAdmin(listSchemaReferences, { productID, identifiers: ['level', 'blink', 'note'] })).list
      .filter(({ kind }) => kind === '设备任务')
      .map(({ identifier, title }) => [identifier, title])
  expect((await find()).toSorted()).toEqual([
    ['blink', '闪灯'],
    ['level', '调光'],
  ])
  // One that rests uses nothing.
  await world.asAdmin(setTaskStatus, { taskID: property, isEnable: 2 })
  expect(await find()).toEqual([['blink', '闪灯']])
})

test('text that no database keeps is refused with its field', async () => {
  const { world } = room
  const key = await room.device()
  for (const value of ['\\u0000', '\\ud800']) {
    const body = room.body([key], { ...yearly, data: `{"note":"${value}"}` })
    const answer = await world.call(createTask, body, { token: world.admin })
    expect(answer).toMatchObject({ code: errors.parameter.code, msg: expect.stringContaining('data') })
  }
})

test('an earlier run that is tried again and halts comes to its end, too', async () => {
  const devices = [await room.lamp(refuses), await room.lamp(silent)]
  const taskID = await room.create(devices, { failStop: 50, timeout: 600 })
  await room.until(taskID, failed)
  const [first] = await room.runs(taskID)
  await room.world.asAdmin(runTask, { taskID })
  await room.until(taskID, failed)
  await room.world.asAdmin(retryTask, { taskID, runID: first?.runID ?? '' })
  const ofFirst = async () => (await room.runs(taskID)).find(({ runID }) => runID === first?.runID)
  await expect.poll(ofFirst).toMatchObject({ status: failed, reason: expect.stringContaining('已熔断') })
  expect((await room.world.call(runTask, { taskID }, { token: room.world.admin })).code).toBe(200)
})

test('cancelling without naming a run ends the one that is under way, an earlier one too', async () => {
  const { world } = room
  const taskID = await room.create([await room.lamp(silent)], { timeout: 600 })
  const cancel = () => world.asAdmin(cancelTask, { taskID })
  expect(await cancel()).toEqual({ done: 1 })
  const [first] = await room.runs(taskID)
  await world.asAdmin(runTask, { taskID })
  expect(await cancel()).toEqual({ done: 1 })
  await world.asAdmin(retryTask, { taskID, runID: first?.runID ?? '' })
  expect(await cancel()).toEqual({ done: 1 })
  expect(await cancel()).toEqual({ done: 0 })
})
