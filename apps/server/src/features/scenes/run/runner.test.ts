import { RunResult, readScene, triggerScene, updateScene } from '@ithings/contract/features/scenes/info.ts'
import { listSceneLogs } from '@ithings/contract/features/scenes/log.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firingOf, openSceneRoom, type SceneRoom, steps } from '../testing/scene-room.ts'

let room: SceneRoom
let productID: string
beforeAll(async () => {
  room = await openSceneRoom()
  productID = await room.product()
})
afterAll(() => room.close())

const trigger = (id: number) => room.ask(triggerScene, { id })

/** A pump that says yes, or what the test wants, to everything. */
async function pump(code = 200) {
  const key = await room.device(productID)
  const device = await room.connect(key)
  device.client.on('message', (topic, payload) => {
    const { method, clientToken } = JSON.parse(String(payload))
    const path = topic.includes('/action/') ? 'thing/action' : 'thing/property'
    if (method === 'control' || method === 'action') {
      // The test may be over, and its connection with it, before the platform has taken the answer.
      const reply = { method: `${method}_reply`, clientToken, code, status: code === 200 ? '' : 'no' }
      device.publish(path, reply).catch(() => undefined)
    }
  })
  return { key, device, only: { productID, selector: 'fixed', selectorValues: [key.deviceName] } }
}

describe('device actions (rules.md 4)', () => {
  test('a property is set on a real device, and its answer is noted in the log', async () => {
    const { key, device, only } = await pump()
    const id = await room.scene([steps.set(only, { power: 1 })])
    const { runID } = await trigger(id)
    const message = await device.next('thing/property', ({ method }) => method === 'control')
    expect(message.params).toEqual({ power: true })
    await expect.poll(async () => (await room.logs(id))[0]?.actions[0]?.devices[0]?.code).toBe(200)
    const log = await room.ended(id)
    expect(log).toMatchObject({
      runID,
      fired: 1,
      result: RunResult.success,
      triggerType: 'manual',
      userName: 'operator',
      triggerText: 'operator 手动执行',
      actions: [{ executor: 'device', ok: true, code: 200, text: expect.stringContaining('开关 = 开') }],
    })
    expect(log.actions[0]?.devices[0]).toEqual({
      productID,
      deviceName: key.deviceName,
      code: 200,
      clientToken: message.clientToken,
    })
    expect(log.latency).toBeGreaterThanOrEqual(0)
    const command = await room.db
      .selectFrom('device_command')
      .select(['source', 'user_name'])
      .where('client_token', '=', String(message.clientToken))
      .executeTakeFirst()
    expect(command).toEqual({ source: 'scene', user_name: 'operator' })
    await device.end()
  })

  test('characters that the database cannot hold do not keep a scene from running', async () => {
    const notify = { type: 'webhook', url: 'http://127.0.0.1:9/', content: 'a\0b\ud800c' }
    const id = await room.scene([{ executor: 'notify', notify }, steps.delay(0)])
    await trigger(id)
    expect(await room.ended(id)).toMatchObject({ fired: 1, actions: [{ executor: 'notify' }, { executor: 'delay' }] })
    expect(JSON.parse((await room.ask(readScene, { id })).then)[0].notify.content).toBe('a\ufffdb\ufffdc')
  })

  test('an action is called with its inputs', async () => {
    const { device, only } = await pump()
    const id = await room.scene([steps.invoke(only, 'flush', { seconds: 5 })])
    await trigger(id)
    const message = await device.next('thing/action', ({ method }) => method === 'action')
    expect(message).toMatchObject({ actionID: 'flush', params: { seconds: 5 } })
    expect(await room.ended(id)).toMatchObject({ result: RunResult.success })
    await device.end()
  })

  test('a device that refuses makes the run fail afterwards, with its code', async () => {
    const { key, device, only } = await pump(403)
    const id = await room.scene([steps.set(only, { power: 0 })])
    await trigger(id)
    await expect.poll(async () => (await room.logs(id))[0]?.result).toBe(RunResult.failed)
    const [log] = await room.logs(id)
    expect(log?.actions[0]).toMatchObject({ ok: false, code: 403, msg: `设备 ${key.deviceName} 拒绝 code 403` })
    await expect
      .poll(async () => (await room.ask(readScene, { id })).lastText)
      .toBe(`设备 ${key.deviceName} 拒绝 code 403`)
    await device.end()
  })

  test('a refusal during a delay counts when the run ends', async () => {
    const { device, only } = await pump(403)
    const id = await room.scene([steps.set(only, { power: 0 }), steps.delay(600), steps.delay(0)])
    await trigger(id)
    await expect.poll(async () => (await room.logs(id))[0]?.actions[0]?.code).toBe(403)
    await expect.poll(async () => (await room.logs(id))[0]?.result).toBe(RunResult.waiting)
    room.clock.advance(601_000)
    const log = await room.ended(id)
    expect(log.result).toBe(RunResult.partly)
    expect(log.actions.map(({ ok }) => ok)).toEqual([false, true, true])
    await device.end()
  })

  test('a device that is away is a failed action, and the rest goes on', async () => {
    const { device, only } = await pump()
    const away = await room.device(productID)
    const gone = { productID, selector: 'fixed', selectorValues: [away.deviceName] }
    const id = await room.scene([steps.set(gone, { power: 1 }), steps.set(only, { speed: 100 })])
    await trigger(id)
    expect((await device.next('thing/property', ({ method }) => method === 'control')).params).toEqual({ speed: 100 })
    const log = await room.ended(id)
    expect(log.result).toBe(RunResult.partly)
    expect(log.actions.map(({ ok, code }) => [ok, code])).toEqual([
      [false, 2000003],
      [true, 200],
    ])
    expect(log.actions[0]?.msg).toContain(away.deviceName)
    await device.end()
  })

  test('the device that started the scene is meant by `trigger`', async () => {
    const { key, device } = await pump()
    const id = await room.scene([steps.set({ productID, selector: 'trigger' }, { power: 1 })])
    room.runner.fire(firingOf(id, { device: key }))
    await device.next('thing/property', ({ method }) => method === 'control')
    expect(await room.ended(id)).toMatchObject({ result: RunResult.success, deviceName: key.deviceName })
    await trigger(id)
    await expect.poll(async () => (await room.logs(id)).length).toBe(2)
    expect(await room.ended(id)).toMatchObject({
      result: RunResult.failed,
      actions: [{ msg: '参数错误:没有触发设备' }],
    })
    await device.end()
  })

  test('all devices of a product, and those of a group with the groups below it, are reached', async () => {
    const other = await room.product()
    const keys = await Promise.all(Array.from({ length: 30 }, () => room.device(other)))
    const [online] = keys
    if (!online) throw new Error('no device')
    const device = await room.connect(online)
    const all = await room.scene([steps.set({ productID: other, selector: 'all' }, { power: 1 })])
    await trigger(all)
    await device.next('thing/property', ({ method }) => method === 'control')
    const log = await room.ended(all)
    expect(log.result).toBe(RunResult.partly)
    expect(log.actions[0]?.devices).toHaveLength(30)
    expect(log.actions[0]?.msg).toContain('30 台中 29 台失败')

    const parent = await room.db
      .insertInto('device_group')
      .values({ parent_id: 1, group_name: `上级 ${other}` })
      .returning('group_id')
      .executeTakeFirstOrThrow()
    const child = await room.db
      .insertInto('device_group')
      .values({ parent_id: parent.group_id, group_name: `下级 ${other}` })
      .returning('group_id')
      .executeTakeFirstOrThrow()
    await room.db.insertInto('group_device').values({ group_id: child.group_id, device_id: online.deviceID }).execute()
    const grouped = await room.scene([
      steps.set({ productID: other, selector: 'group', selectorValues: [String(parent.group_id)] }, { power: 0 }),
    ])
    await trigger(grouped)
    await device.next('thing/property', ({ params }) => (params as { power?: boolean })?.power === false)
    expect((await room.ended(grouped)).actions[0]?.devices.map((one) => one.deviceName)).toEqual([online.deviceName])
    await device.end()
  })
})

describe('order', () => {
  test('steps follow each other; parallel ones start together', async () => {
    const { device, only } = await pump()
    const id = await room.scene([
      steps.set(only, { speed: 10 }),
      steps.set(only, { speed: 20 }),
      steps.set(only, { speed: 30 }, { parallel: true }),
      steps.set(only, { speed: 40 }),
    ])
    await trigger(id)
    const log = await room.ended(id)
    const [a, b, c, d] = log.actions
    expect(log.actions.map(({ ok }) => ok)).toEqual([true, true, true, true])
    expect(b?.startTime).toBeGreaterThanOrEqual(a?.endTime ?? 0)
    expect(c?.startTime).toBeLessThanOrEqual(b?.endTime ?? 0)
    expect(d?.startTime).toBeGreaterThanOrEqual(Math.max(b?.endTime ?? 0, c?.endTime ?? 0))
    const order = () =>
      device.received
        .filter(({ message }) => message.method === 'control')
        .map(({ message }) => (message.params as { speed: number }).speed)
    await expect.poll(() => order().length).toBe(4)
    expect([order()[0], order()[3]]).toEqual([10, 40])
    await device.end()
  })

  test('the same cause runs a scene once', async () => {
    const id = await room.scene([steps.delay(0)])
    for (let i = 0; i < 5; i += 1) room.runner.fire(firingOf(id, { cause: 'once' }))
    room.runner.fire(firingOf(id, { cause: 'another' }))
    await expect.poll(async () => (await room.logs(id)).length).toBe(2)
    await room.ended(id)
    expect(await room.logs(id)).toHaveLength(2)
  })

  test('a scene that was switched off meanwhile does not run', async () => {
    const off = await room.scene([steps.delay(0)], { status: 2 })
    const on = await room.scene([steps.delay(0)])
    room.runner.fire(firingOf(off))
    room.runner.fire(firingOf(on))
    await room.ended(on)
    expect(await room.logs(off)).toEqual([])
  })

  test('an action nobody knows stops the run', async () => {
    const id = await room.scene([steps.delay(0)])
    const plan = [{ executor: 'dance', delay: null, device: null, alarm: null, notify: null, scene: null }]
    const actions = JSON.stringify([...plan, steps.delay(0)])
    await room.db.updateTable('scene').set({ actions }).where('id', '=', id).execute()
    await trigger(id)
    const log = await room.ended(id)
    expect(log).toMatchObject({ result: RunResult.failed, reason: '参数错误:暂不支持的操作类型:dance' })
    expect(log.actions).toHaveLength(1)
  })
})

describe('other actions', () => {
  test('an alarm is raised and cleared for the linked alarms, with the run that did it', async () => {
    const key = await room.device(productID)
    const id = await room.scene([steps.raise()])
    const clearing = await room.scene([steps.clear])
    const alarm = await room.db
      .insertInto('alarm')
      .values({ name: `超温 ${id}`, level: 4 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await room.db
      .insertInto('alarm_scene')
      .values([
        { alarm_id: alarm.id, scene_id: id },
        { alarm_id: alarm.id, scene_id: clearing },
      ])
      .execute()
    room.runner.fire(firingOf(id, { device: key }))
    expect(await room.ended(id)).toMatchObject({
      result: RunResult.success,
      actions: [{ executor: 'alarm', ok: true }],
    })
    const state = async () =>
      (
        await room.db
          .selectFrom('alarm_record')
          .select(['deal_state', 'device_name'])
          .where('alarm_id', '=', alarm.id)
          .execute()
      ).at(0)
    expect(await state()).toEqual({ deal_state: 2, device_name: key.deviceName })
    room.runner.fire(firingOf(clearing, { device: key }))
    await room.ended(clearing)
    expect(await state()).toMatchObject({ deal_state: 3 })
  })

  test('people are told by the outbox, with the variables filled in; a channel that is gone is a failed action', async () => {
    const key = await room.device(productID)
    const channel = await room.db
      .insertInto('notify_channel')
      .values({ name: `值班 ${productID}`, type: 'webhook', settings: JSON.stringify({ url: 'http://127.0.0.1:9/x' }) })
      .returning('id')
      .executeTakeFirstOrThrow()
    const notify = { channelIDs: [channel.id], title: '注意', content: '$' + '{deviceName}：$' + '{trigger}' }
    const id = await room.scene([steps.notify(notify), steps.delay(0)])
    room.runner.fire(firingOf(id, { device: key }))
    expect(await room.ended(id)).toMatchObject({ result: RunResult.success })
    const delivery = await room.db
      .selectFrom('notify_delivery')
      .select(['title', 'content', 'source', 'device_name'])
      .where('channel_id', '=', channel.id)
      .executeTakeFirst()
    expect(delivery).toEqual({
      title: '注意',
      content: `${key.deviceName}：温度 > 80 ℃（实际 83.6 ℃）`,
      source: 'scene',
      device_name: key.deviceName,
    })
    await room.db.deleteFrom('notify_channel').where('id', '=', channel.id).execute()
    room.runner.fire(firingOf(id, { device: key }))
    await expect.poll(async () => (await room.logs(id)).length).toBe(2)
    const log = await room.ended(id)
    expect(log.result).toBe(RunResult.partly)
    expect(log.actions.map(({ ok }) => ok)).toEqual([false, true])
  })

  test('another scene is run, one that is off is a failed action', async () => {
    const key = await room.device(productID)
    const inner = await room.scene([steps.delay(0)])
    const outer = await room.scene([steps.run(inner)])
    room.runner.fire(firingOf(outer, { device: key }))
    const log = await room.ended(inner)
    expect(log).toMatchObject({
      result: RunResult.success,
      deviceName: key.deviceName,
      userName: expect.stringContaining('场景'),
    })
    const scene = await room.ask(readScene, { id: inner })
    await room.ask(updateScene, { ...scene, status: 2 })
    room.runner.fire(firingOf(outer))
    await expect.poll(async () => (await room.logs(outer)).length).toBe(2)
    expect(await room.ended(outer)).toMatchObject({ result: RunResult.failed, actions: [{ code: 100021 }] })
  })

  test('a chain of scenes ends at the limit of its depth, even when they run in a ring', async () => {
    const a = await room.scene([steps.delay(0)])
    const b = await room.scene([steps.run(a)])
    // Past the check of saving, as an older version may have stored it.
    await room.db
      .updateTable('scene')
      .set({ actions: JSON.stringify([{ ...steps.run(b), delay: null, device: null, alarm: null, notify: null }]) })
      .where('id', '=', a)
      .execute()
    await trigger(a)
    const all = async () => [...(await room.logs(a)), ...(await room.logs(b))]
    await expect.poll(async () => (await all()).some(({ result }) => result === RunResult.failed)).toBe(true)
    expect(await all()).toHaveLength(6)
    const failed = (await all()).find(({ result }) => result === RunResult.failed)
    expect(failed?.actions[0]?.msg).toContain('超过 5 层')
  })
})

test('runs show in the log by every filter, and what was told about them on the bus', async () => {
  const key = await room.device(productID)
  const id = await room.scene([steps.delay(0)])
  const before = room.clock.now()
  room.runner.fire(firingOf(id, { device: key, traceID: 'a'.repeat(22) }))
  const log = await room.ended(id)
  const find = (filter: object) => room.ask(listSceneLogs, { sceneID: id, ...filter })
  expect((await find({ deviceName: key.deviceName, productID })).total).toBe(1)
  expect((await find({ deviceName: 'nobody' })).total).toBe(0)
  expect((await find({ runID: log.runID })).list[0]?.tranceID).toBe('a'.repeat(22))
  expect((await find({ fired: 1, result: RunResult.success, timeStart: before })).total).toBe(1)
  expect((await find({ timeEnd: before })).total).toBe(0)
  expect((await find({ fired: 2 })).total).toBe(0)
  await room.db
    .insertInto('scene_miss')
    .values({ scene_id: id, at: before - 1, reason: '条件不满足' })
    .execute()
  const { list, total } = await find({})
  expect(total).toBe(2)
  expect(list.map((one) => [one.fired, one.result])).toEqual([
    [1, RunResult.success],
    [2, RunResult.missed],
  ])
  expect((await find({ runID: list[1]?.runID })).list).toMatchObject([{ reason: '条件不满足', fired: 2 }])
  expect((await find({ page: { page: 2, size: 1 } })).list).toMatchObject([{ fired: 2 }])
  const told = room.ran.filter(({ sceneID }) => sceneID === id).map(({ result }) => result)
  expect(told).toEqual([RunResult.running, RunResult.success])
})
