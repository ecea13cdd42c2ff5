/** Two servers on one database: tasks are run once, wherever their devices are connected. */
import { DeployStatus, TaskSchedule } from '@ithings/contract/features/tasks.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '#testing/world.ts'
import { openTaskRoom, refuses, type TaskRoom, tokenLifeSeconds } from './testing/task-room.ts'

let room: TaskRoom
let second: World
beforeAll(async () => {
  room = await openTaskRoom({ config: { databaseUrl: 'given' } })
  second = await openWorld({ databaseUrl: room.world.url, config: { databaseUrl: 'given', tokenLifeSeconds } })
  second.clock.advance(room.world.clock.now() - second.clock.now())
})
afterEach(() => room.leaveAll())
afterAll(async () => {
  await second.close()
  await room.close()
})

const { success, failed } = DeployStatus
/** One moment, a few seconds from now: clocks that jumped would make each server think that the other is dead. */
function soon() {
  const at = Math.ceil(room.world.clock.now() / 5_000 + 2) * 5
  return { scheduleType: TaskSchedule.cron, cron: '*/5 * * * * *', validStart: at - 1, validEnd: at + 1 }
}

test('each time of a schedule comes once', async () => {
  const [here, there] = [await room.lamp(), await room.lamp(undefined, second)]
  const tasks: number[] = []
  const schedule = soon()
  for (let i = 0; i < 6; i += 1) tasks.push(await room.create([here, there], schedule))
  for (const taskID of tasks) await room.until(taskID, success)
  for (const taskID of tasks) {
    expect(await room.runs(taskID)).toMatchObject([{ total: 2, success: 2, trigger: 'timer' }])
  }
  await Promise.all([here.quiet(), there.quiet()])
  expect([here.heard.length, there.heard.length]).toEqual([6, 6])
})

test('many devices over both servers: each is sent to once and each answer counts', async () => {
  const lamps = []
  for (let i = 0; i < 12; i += 1)
    lamps.push(await room.lamp(i === 11 ? refuses : undefined, i % 2 ? second : room.world))
  const taskID = await room.create(lamps)
  await room.until(taskID, failed)
  expect(await room.task(taskID)).toMatchObject({ total: 12, success: 11, failed: 1 })
  await Promise.all(lamps.map((lamp) => lamp.quiet()))
  expect(lamps.map(({ heard }) => heard.length)).toEqual(lamps.map(() => 1))
  expect((await room.rows(taskID)).find(({ status }) => status === failed)).toMatchObject({
    code: 430,
    msg: '灯泡已坏',
  })
})
