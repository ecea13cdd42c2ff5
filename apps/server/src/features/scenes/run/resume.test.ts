/** Delays are the database's: they survive restarts and crashes, and one of several servers goes on. */
import { RunResult, readScene, triggerScene, updateScene } from '@ithings/contract/features/scenes/info.ts'
import { listSceneLogs } from '@ithings/contract/features/scenes/log.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { said } from '#testing/said.ts'
import type { AlarmDoor } from '../alarm-door.ts'
import { firingOf, openSceneRoom, type RoomOptions, type SceneRoom, steps } from '../testing/scene-room.ts'

const rooms: SceneRoom[] = []
async function open(options: RoomOptions = {}): Promise<SceneRoom> {
  const room = await openSceneRoom(options)
  rooms.push(room)
  return room
}
/** The room that owns the database goes last. */
afterEach(async () => {
  for (const room of rooms.splice(0).reverse()) await room.close()
})

const other = (room: SceneRoom, options: RoomOptions = {}) =>
  open({ databaseUrl: room.url, clock: room.clock, ...options })

const waits = (room: SceneRoom, id: number) =>
  expect.poll(async () => (await room.logs(id))[0]?.result).toBe(RunResult.waiting)

test('a delay is stored, ends when its time has come, and the steps before and after it are done once', async () => {
  const room = await open()
  const inner = await room.scene([steps.delay(0)])
  const id = await room.scene([steps.run(inner), steps.delay(600), steps.run(inner)])
  await room.ask(triggerScene, { id })
  await waits(room, id)
  const [waiting] = await room.logs(id)
  expect(waiting).toMatchObject({ endTime: 0, actions: [{ ok: true }, { executor: 'delay', code: 0, endTime: 0 }] })
  await expect.poll(async () => (await room.ask(readScene, { id })).lastResult).toBe(RunResult.waiting)
  await expect.poll(() => room.logs(inner)).toHaveLength(1)
  room.clock.advance(600_000)
  const log = await room.ended(id)
  expect(log.result).toBe(RunResult.success)
  expect(log.actions[1]).toMatchObject({ executor: 'delay', ok: true, code: 200 })
  expect((log.actions[1]?.endTime ?? 0) - (log.actions[1]?.startTime ?? 0)).toBeGreaterThanOrEqual(600_000)
  await expect.poll(async () => (await room.logs(inner)).length).toBe(2)
  await expect
    .poll(() => room.ran.filter(({ sceneID }) => sceneID === id).map(({ result }) => result))
    .toEqual([1, 2, 3])
})

test('a delay that is over by the clock of the process needs no look from outside', async () => {
  const room = await open()
  const id = await room.scene([steps.delay(0.3)])
  await room.ask(triggerScene, { id })
  const log = await room.ended(id)
  const [delay] = log.actions
  const took = (delay?.endTime ?? 0) - (delay?.startTime ?? 0)
  expect(took).toBeGreaterThanOrEqual(300)
  expect(took).toBeLessThan(30_000)
})

test('steps beside a delay start with it; the next one waits for the longest', async () => {
  const room = await open()
  const inner = await room.scene([steps.delay(0)])
  const beside = { ...steps.run(inner), parallel: true }
  const id = await room.scene([steps.delay(60), steps.delay(120, { parallel: true }), beside, steps.delay(0)])
  await room.ask(triggerScene, { id })
  await waits(room, id)
  await expect.poll(() => room.logs(inner)).toHaveLength(1)
  const row = await room.db
    .selectFrom('scene_run')
    .select(['resume_at', 'started_at', 'step'])
    .where('scene_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(row.step).toBe(3)
  expect((row.resume_at ?? 0) - row.started_at).toBeGreaterThanOrEqual(120_000)
  room.clock.advance(121_000)
  expect((await room.ended(id)).actions.map(({ code }) => code)).toEqual([200, 200, 200, 200])
})

test('a server that is started again in the middle of a delay goes on with the plan as it was', async () => {
  const owner = await open({ idle: true })
  const first = await other(owner)
  const inner = await first.scene([steps.delay(0)])
  const id = await first.scene([steps.delay(60), steps.run(inner)])
  await first.ask(triggerScene, { id })
  await waits(first, id)
  const scene = await first.ask(readScene, { id })
  await first.ask(updateScene, { ...scene, then: JSON.stringify([steps.delay(1)]) })
  await first.runner.stop()
  owner.clock.advance(61_000)
  const second = await other(owner)
  const log = await second.ended(id)
  expect(log.result).toBe(RunResult.success)
  expect(log.actions.map(({ executor }) => executor)).toEqual(['delay', 'scene'])
  await expect.poll(async () => (await second.logs(inner)).length).toBe(1)
})

test('after a restart the run waits for its device to come back', async () => {
  const owner = await open({ idle: true })
  const productID = await owner.product()
  const key = await owner.device(productID)
  const first = await other(owner)
  const to = { productID, selector: 'fixed', selectorValues: [key.deviceName] }
  const id = await first.scene([steps.delay(60), steps.set(to, { power: 1 })])
  await first.ask(triggerScene, { id })
  await waits(first, id)
  await first.runner.stop()
  owner.clock.advance(61_000)
  const second = await other(owner, { limits: { comeBackMs: 120_000 } })
  const refused = async () =>
    (await owner.db.selectFrom('device_command').select('code').where('device_id', '=', key.deviceID).execute()).length
  await expect.poll(refused).toBe(1)
  const device = await second.connect(key)
  expect((await device.next('thing/property', ({ method }) => method === 'control')).params).toEqual({ power: true })
  expect(await second.ended(id)).toMatchObject({ result: RunResult.success })
  await device.end()
})

test('a server that stops in the middle of a plan leaves the rest to another', async () => {
  const owner = await open({ idle: true })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let reached = false
  const stopping = await other(owner, {
    alarms: (real) => ({
      ...real,
      async raise(run) {
        reached = true
        await held
        return real.raise(run)
      },
    }),
  })
  const inner = await stopping.scene([steps.delay(0)])
  const id = await stopping.scene([steps.raise(), steps.run(inner)])
  await stopping.ask(triggerScene, { id })
  await expect.poll(() => reached).toBe(true)
  const stopped = stopping.runner.stop()
  release()
  await stopped
  expect(await owner.logs(id)).toMatchObject([
    { result: RunResult.waiting, actions: [{ executor: 'alarm', ok: true }] },
  ])
  expect(await owner.logs(inner)).toEqual([])
  const next = await other(owner)
  expect(await next.ended(id)).toMatchObject({
    result: RunResult.success,
    actions: [{}, { executor: 'scene', ok: true }],
  })
  await expect.poll(async () => (await next.logs(inner)).length).toBe(1)
})

test('a delay whose beginning was lost in a crash is waited for from then; what follows does not come early', async () => {
  const room = await open()
  const inner = await room.scene([steps.delay(0)])
  const beside = { ...steps.raise(), parallel: true }
  const id = await room.scene([steps.run(inner), steps.delay(600), beside, steps.run(inner)])
  await room.ask(triggerScene, { id })
  await waits(room, id)
  const ofScene = () => room.db.selectFrom('scene_run').selectAll().where('scene_id', '=', id).executeTakeFirstOrThrow()
  const { actions } = await ofScene()
  room.clock.advance(300_000)
  // As the row is when the server dies before it has written that the run waits.
  await room.db
    .updateTable('scene_run')
    .set({
      result: RunResult.running,
      server_id: 'dead',
      resume_at: null,
      step: 1,
      actions: JSON.stringify([actions[0]]),
    })
    .where('scene_id', '=', id)
    .execute()
  await waits(room, id)
  const again = await ofScene()
  expect(said(again.actions)).toMatchObject([
    { ok: true },
    { executor: 'delay', ok: true, endTime: 0 },
    { executor: 'alarm', ok: false, msg: '服务中断，结果未知' },
  ])
  expect(again.resume_at).toBe((actions[0]?.endTime ?? 0) + 600_000)
  expect(await room.logs(inner)).toHaveLength(1)
  room.clock.advance(301_000)
  expect((await room.ended(id)).actions).toMatchObject([{}, { code: 200 }, {}, { executor: 'scene', ok: true }])
  await expect.poll(async () => (await room.logs(inner)).length).toBe(2)
})

test('a scene that was switched off during the delay does nothing more, and says so', async () => {
  const room = await open()
  const inner = await room.scene([steps.delay(0)])
  const id = await room.scene([steps.delay(60), steps.run(inner)])
  await room.ask(triggerScene, { id })
  await waits(room, id)
  await room.ask(updateScene, { ...(await room.ask(readScene, { id })), status: 2 })
  room.clock.advance(61_000)
  const log = await room.ended(id)
  expect(log).toMatchObject({ result: RunResult.partly, reason: '场景已禁用，其余动作未执行' })
  expect(log.actions).toHaveLength(1)
  expect(await room.logs(inner)).toEqual([])
})

test('a scene that is deleted during the delay takes its run with it', async () => {
  const room = await open()
  const id = await room.scene([steps.delay(60)])
  await room.ask(triggerScene, { id })
  await waits(room, id)
  await room.db.deleteFrom('scene').where('id', '=', id).execute()
  room.clock.advance(61_000)
  const probe = await room.scene([steps.delay(0)])
  await room.ask(triggerScene, { id: probe })
  await room.ended(probe)
  expect((await room.ask(listSceneLogs, { sceneID: id })).total).toBe(0)
})

describe('two servers on one database', () => {
  test('each delay is ended by one of them', async () => {
    const one = await open()
    const two = await other(one)
    const inner = await one.scene([steps.delay(0)])
    const id = await one.scene([steps.delay(60), steps.run(inner)])
    for (let i = 0; i < 40; i += 1) one.runner.fire(firingOf(id))
    const states = async (result: RunResult) =>
      (await one.ask(listSceneLogs, { sceneID: id, result, page: { page: 1, size: 100 } })).total
    await expect.poll(() => states(RunResult.waiting)).toBe(40)
    one.clock.advance(61_000)
    await expect.poll(() => states(RunResult.success)).toBe(40)
    await expect.poll(async () => (await one.ask(listSceneLogs, { sceneID: inner })).total).toBe(40)
    const told = (room: SceneRoom) =>
      room.ran.filter(({ sceneID, result }) => sceneID === id && result === RunResult.success).length
    await expect.poll(() => told(one) + told(two)).toBe(40)
  })

  test('the same cause seen by both runs once', async () => {
    const one = await open()
    const two = await other(one)
    const id = await one.scene([steps.delay(0)])
    for (let i = 0; i < 20; i += 1) {
      one.runner.fire(firingOf(id, { cause: `message ${i}` }))
      two.runner.fire(firingOf(id, { cause: `message ${i}` }))
    }
    const count = async () => (await one.ask(listSceneLogs, { sceneID: id, result: RunResult.success })).total
    await expect.poll(count).toBe(20)
    await one.runner.stop()
    await two.runner.stop()
    expect((await one.ask(listSceneLogs, { sceneID: id })).total).toBe(20)
  })

  test('a run whose server died goes on elsewhere: the step in flight is unknown, the next ones are done', async () => {
    const owner = await open({ idle: true })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const reached: number[] = []
    const hanging = (real: AlarmDoor): AlarmDoor => ({
      ...real,
      async raise(run) {
        reached.push(run.runID)
        await held
        return real.raise(run)
      },
    })
    const dying = await other(owner, { alarms: hanging })
    const inner = await dying.scene([steps.delay(0)])
    const id = await dying.scene([steps.delay(0), steps.raise(), steps.run(inner)])
    dying.runner.fire(firingOf(id))
    await expect.poll(() => reached.length).toBe(1)
    // Nobody sees it any more.
    await owner.db.deleteFrom('platform_server').where('server_id', '=', dying.serverID).execute()
    const heir = await other(owner)
    const log = await heir.ended(id)
    expect(log.result).toBe(RunResult.partly)
    expect(log.actions.map(({ ok, msg }) => [ok, msg])).toMatchObject([
      [true, ''],
      [false, '服务中断，结果未知'],
      [true, expect.stringContaining('已执行场景')],
    ])
    await expect.poll(async () => (await heir.logs(inner)).length).toBe(1)
    // It was not dead at all: what it finds out is that the run is no longer its own.
    release()
    await dying.runner.stop()
    expect(await heir.logs(inner)).toHaveLength(1)
    expect((await heir.logs(id))[0]?.actions).toHaveLength(3)
  })
})
