import { errors } from '@ithings/contract/errors.ts'
import { RunResult, readScene, triggerScene } from '@ithings/contract/features/scenes/info.ts'
import { afterEach, expect, test } from 'vitest'
import { firingOf, openSceneRoom, type RoomOptions, type SceneRoom, steps } from '../testing/scene-room.ts'
import { dropOldRuns } from './drop-old-runs.ts'

let room: SceneRoom
const open = async (options: RoomOptions = {}) => {
  room = await openSceneRoom(options)
  return room
}
afterEach(() => room.close())

const fired = async (id: number) => (await room.logs(id)).filter((log) => log.fired === 1)
const missed = async (id: number) => (await room.logs(id)).filter((log) => log.fired === 2)
const dropped = async (limit: string) => {
  const { values } = (await room.metrics.getSingleMetric('ithings_scene_dropped_total')?.get()) ?? { values: [] }
  return values.find((one) => one.labels.limit === limit)?.value ?? 0
}

test('more than so many runs a minute are dropped, counted, and told once in the log', async () => {
  await open({ limits: { runsPerMinute: 3 } })
  room.clock.stop()
  const id = await room.scene([steps.delay(0)])
  const other = await room.scene([steps.delay(0)])
  for (let i = 0; i < 10; i += 1) room.runner.fire(firingOf(id))
  room.runner.fire(firingOf(other))
  await expect.poll(async () => (await fired(id)).length).toBe(3)
  await expect.poll(async () => (await missed(id)).length).toBe(1)
  expect(await missed(id)).toMatchObject([{ result: RunResult.missed, reason: '超过每分钟 3 次' }])
  expect(await dropped('rate')).toBe(7)
  await expect.poll(async () => (await room.ask(readScene, { id })).lastResult).toBe(RunResult.missed)
  expect((await room.ask(readScene, { id })).lastText).toBe('超过每分钟 3 次')
  await expect.poll(async () => (await fired(other)).length).toBe(1)
  const refused = await room.call(triggerScene, { id })
  expect(refused).toMatchObject({ code: errors.rateLimited.code, msg: expect.stringContaining('超过每分钟 3 次') })
  room.clock.advance(60_000)
  await room.ask(triggerScene, { id })
})

test('the queue of runs is bounded; what is in it is done', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let most = 0
  let busy = 0
  await open({
    limits: { concurrent: 2, waiting: 5 },
    alarms: (real) => ({
      ...real,
      async raise(run) {
        busy += 1
        most = Math.max(most, busy)
        await held
        busy -= 1
        return real.raise(run)
      },
    }),
  })
  const id = await room.scene([steps.raise()])
  for (let i = 0; i < 10; i += 1) room.runner.fire(firingOf(id, { firedAt: 1_000 + i }))
  expect(await dropped('queue')).toBe(3)
  await expect.poll(() => busy).toBe(2)
  // Two are stored, five are not: after a crash those would be judged again.
  expect(room.runner.unstoredSince()).toBe(1_002)
  release()
  await expect.poll(async () => (await fired(id)).length).toBe(7)
  await expect.poll(async () => (await missed(id)).length).toBe(1)
  expect(most).toBe(2)
  await expect.poll(() => room.runner.unstoredSince()).toBeUndefined()
})

test('what one device started is done in its order, with all steps: what was raised first is cleared after it', async () => {
  const done: string[] = []
  await open({
    alarms: () => ({
      async raise({ seen }) {
        done.push(`raise ${seen.value}`)
        return { alarms: [], text: '' }
      },
      async clear({ seen }) {
        done.push(`clear ${seen.value}`)
        return { records: 0, text: '' }
      },
    }),
  })
  const productID = await room.product()
  const device = await room.device(productID)
  const inner = await room.scene([steps.delay(0)])
  const hot = await room.scene([steps.run(inner), steps.raise()])
  const good = await room.scene([steps.clear])
  const expected: string[] = []
  for (let i = 0; i < 20; i += 1) {
    room.runner.fire(firingOf(hot, { device, seen: { value: String(i) } }))
    room.runner.fire(firingOf(good, { device, seen: { value: String(i) } }))
    expected.push(`raise ${i}`, `clear ${i}`)
  }
  await expect.poll(() => done.length).toBe(40)
  expect(done).toEqual(expected)
})

test('a scene that may not run now fails the step that wanted it', async () => {
  await open({ limits: { runsPerMinute: 1 } })
  room.clock.stop()
  const inner = await room.scene([steps.delay(0)], { name: '内层' })
  const outer = await room.scene([steps.run(inner), steps.run(inner)])
  await room.ask(triggerScene, { id: outer })
  expect(await room.ended(outer)).toMatchObject({
    result: RunResult.partly,
    actions: [
      { ok: true, msg: '已执行场景「内层」' },
      { ok: false, code: errors.rateLimited.code, msg: expect.stringContaining('场景「内层」超过每分钟 1 次') },
    ],
  })
  await expect.poll(() => fired(inner)).toHaveLength(1)
})

test('stopping does what was taken before it ends', async () => {
  await open()
  const id = await room.scene([steps.delay(0)])
  for (let i = 0; i < 50; i += 1) room.runner.fire(firingOf(id))
  await room.runner.stop()
  const open50 = await room.db.selectFrom('scene_run').select('result').where('scene_id', '=', id).execute()
  expect(open50.map(({ result }) => result)).toEqual(Array.from({ length: 50 }, () => RunResult.success))
})

test('old runs go after thirty days, and beyond a number for each scene; runs that wait stay', async () => {
  await open()
  const id = await room.scene([steps.delay(0)])
  const waiting = await room.scene([steps.delay(3600)])
  for (let i = 0; i < 8; i += 1) room.runner.fire(firingOf(id))
  await room.ask(triggerScene, { id: waiting })
  await expect.poll(async () => (await fired(id)).filter(({ result }) => result === RunResult.success).length).toBe(8)
  await expect.poll(async () => (await room.logs(waiting))[0]?.result).toBe(RunResult.waiting)
  expect(await dropOldRuns(room.db, room.clock, 5)).toBe(3)
  expect(await fired(id)).toHaveLength(5)
  await room.runner.stop()
  room.clock.advance(31 * 86_400_000)
  expect(await dropOldRuns(room.db, room.clock)).toBe(5)
  expect(await room.logs(waiting)).toHaveLength(1)
})
