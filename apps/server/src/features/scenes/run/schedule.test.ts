/** Timer scenes by a clock that the test moves: each moment once, also with several servers and after downtime. */
import { RunResult, readScene, updateScene } from '@ithings/contract/features/scenes/info.ts'
import { listSceneLogs } from '@ithings/contract/features/scenes/log.ts'
import { afterEach, describe, expect, test } from 'vitest'
import type { TestClock } from '#testing/world.ts'
import { openSceneRoom, type RoomOptions, type SceneRoom, steps } from '../testing/scene-room.ts'

const minute = 60_000
const hour = 60 * minute

function makeStill(text: string): TestClock & { set(at: number): void } {
  let at = new Date(text).getTime()
  return {
    now: () => at,
    stop: () => {},
    advance: (ms) => {
      at += ms
    },
    set: (moment) => {
      at = moment
    },
  }
}

const rooms: SceneRoom[] = []
async function open(options: RoomOptions): Promise<SceneRoom> {
  const room = await openSceneRoom(options)
  rooms.push(room)
  return room
}
afterEach(async () => {
  for (const room of rooms.splice(0).reverse()) await room.close()
})

const timer = (cron: string) => ({ triggerType: 'timer', trigger: JSON.stringify({ timer: { cron } }) })
const nextOf = async (room: SceneRoom, id: number) => (await room.ask(readScene, { id })).nextRunTime
const moved = (room: SceneRoom, id: number, from: number) => expect.poll(() => nextOf(room, id)).not.toBe(from)

test('a scene runs at its moments by the clock, the next one is shown', async () => {
  const clock = makeStill('2027-01-30T11:59:00')
  const room = await open({ clock })
  const id = await room.scene([steps.delay(0)], timer('0 0 12 31 * *'))
  const at = (text: string) => new Date(text).getTime()
  expect(await nextOf(room, id)).toBe(at('2027-01-31T12:00:00'))
  clock.set(at('2027-01-31T12:00:00'))
  await moved(room, id, at('2027-01-31T12:00:00'))
  // February has no 31st.
  expect(await nextOf(room, id)).toBe(at('2027-03-31T12:00:00'))
  const log = await room.ended(id)
  expect(log).toMatchObject({ result: RunResult.success, triggerType: 'timer', startTime: clock.now(), userName: '' })
  expect(log.triggerText).toContain('12:00')
  const { cause } = await room.db
    .selectFrom('scene_run')
    .select('cause')
    .where('scene_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(cause).toBe(`timer:${at('2027-01-31T12:00:00')}`)
})

test('a scene that is switched off has no next moment; switched on again it has', async () => {
  const clock = makeStill('2027-01-30T11:59:00')
  const room = await open({ clock })
  const id = await room.scene([steps.delay(0)], timer('0 0 12 * * *'))
  const due = await nextOf(room, id)
  await room.ask(updateScene, { ...(await room.ask(readScene, { id })), status: 2 })
  expect(await nextOf(room, id)).toBe(0)
  clock.set(due)
  await room.ask(updateScene, { ...(await room.ask(readScene, { id })), status: 1 })
  expect(await nextOf(room, id)).toBe(due + 24 * hour)
  expect(await room.logs(id)).toEqual([])
})

test('an edit of something else keeps the moment that is due', async () => {
  const clock = makeStill('2027-01-30T11:59:00')
  const room = await open({ clock, idle: true })
  const id = await room.scene([steps.delay(0)], timer('0 0 12 * * *'))
  const due = await nextOf(room, id)
  clock.set(due + 1_000)
  await room.ask(updateScene, { ...(await room.ask(readScene, { id })), desc: '另一句话' })
  expect(await nextOf(room, id)).toBe(due)
})

describe('after downtime', () => {
  test('a moment missed by less than ten minutes is made up for, once however many there were', async () => {
    const clock = makeStill('2027-01-30T12:00:30')
    const room = await open({ clock, idle: true })
    const id = await room.scene([steps.delay(0)], timer('0 * * * * *'))
    clock.advance(7 * minute)
    await room.runner.start()
    const log = await room.ended(id)
    expect(log.triggerText).toContain('补执行')
    expect(await nextOf(room, id)).toBe(new Date('2027-01-30T12:08:00').getTime())
    expect((await room.ask(listSceneLogs, { sceneID: id })).total).toBe(1)
  })

  test('of a long row of missed moments the newest counts', async () => {
    const clock = makeStill('2027-01-30T12:00:30')
    const room = await open({ clock, idle: true })
    const id = await room.scene([steps.delay(0)], timer('0 * * * * *'))
    clock.advance(3 * hour)
    await room.runner.start()
    await room.ended(id)
    const { cause } = await room.db
      .selectFrom('scene_run')
      .select('cause')
      .where('scene_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(cause).toBe(`timer:${new Date('2027-01-30T15:00:00').getTime()}`)
  })

  test('an older one is skipped, and the log says so', async () => {
    const clock = makeStill('2027-01-30T11:59:00')
    const room = await open({ clock, idle: true })
    const id = await room.scene([steps.delay(0)], timer('0 0 12 * * *'))
    clock.advance(12 * minute)
    await room.runner.start()
    await expect.poll(async () => (await room.logs(id)).length).toBe(1)
    expect((await room.logs(id))[0]).toMatchObject({ fired: 2, reason: expect.stringContaining('已错过') })
    expect(await nextOf(room, id)).toBe(new Date('2027-01-31T12:00:00').getTime())
  })
})

test('two servers on one database run every moment once', async () => {
  const clock = makeStill('2027-01-30T12:00:30')
  const one = await open({ clock })
  const two = await open({ clock, databaseUrl: one.url })
  const ids = await Promise.all(Array.from({ length: 10 }, () => one.scene([steps.delay(0)], timer('0 * * * * *'))))
  for (let i = 0; i < 5; i += 1) {
    const due = await nextOf(one, ids[0] ?? 0)
    clock.set(due)
    for (const id of ids) await moved(one, id, due)
  }
  const total = async () => (await one.ask(listSceneLogs, { fired: 1, result: RunResult.success })).total
  await expect.poll(total).toBe(50)
  await one.runner.stop()
  await two.runner.stop()
  expect((await one.ask(listSceneLogs, {})).total).toBe(50)
})

test('conditions are asked with the latest values; what did not hold is told with the value seen', async () => {
  const clock = makeStill('2027-01-30T11:59:00')
  const room = await open({ clock })
  const productID = await room.product()
  const pump = await room.device(productID)
  const condition = {
    columnType: 'property',
    columnSchema: { productID, deviceName: pump.deviceName, dataID: ['temp'], termType: 'gt', values: '80' },
    netCondition: 'and',
  }
  const id = await room.scene([steps.delay(0)], { ...timer('0 0 * * * *'), when: JSON.stringify([condition]) })
  room.latest.put(pump.deviceID, { temp: 21.5 }, clock.now())
  clock.set(await nextOf(room, id))
  await expect.poll(async () => (await room.logs(id)).length).toBe(1)
  expect((await room.logs(id))[0]).toMatchObject({
    fired: 2,
    reason: expect.stringContaining('21.5'),
    conditions: [{ ok: false, value: '21.5 ℃' }],
  })
  room.latest.put(pump.deviceID, { temp: 95 }, clock.now())
  clock.set(await nextOf(room, id))
  const fired = async () => (await room.logs(id)).find((log) => log.fired === 1)
  await expect.poll(fired).toBeDefined()
  expect(await fired()).toMatchObject({ conditions: [{ ok: true, value: '95 ℃' }] })
})
