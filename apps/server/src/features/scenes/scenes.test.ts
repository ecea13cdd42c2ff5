import { errors } from '@ithings/contract/errors.ts'
import {
  countScenes,
  createScene,
  deleteScene,
  listScenes,
  RunResult,
  readScene,
  triggerScene,
  updateScene,
} from '@ithings/contract/features/scenes/info.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { said } from '#testing/said.ts'
import { findSceneReferences, scenesOfTrace, scenesUsingChannel } from './door.ts'
import { firingOf, openSceneRoom, type SceneRoom, steps } from './testing/scene-room.ts'

let room: SceneRoom
let productID: string
let pump: { productID: string; deviceName: string; deviceID: number }
beforeAll(async () => {
  room = await openSceneRoom()
  productID = await room.product()
  pump = await room.device(productID)
})
afterAll(() => room.close())

let names = 0
const body = (fields: Record<string, unknown> = {}) => {
  names += 1
  return { name: `联动 ${names}`, triggerType: 'manual', then: JSON.stringify([steps.delay(0)]), ...fields }
}
const read = (id: number) => room.ask(readScene, { id })
const refusal = async (fields: Record<string, unknown>) => {
  const { code, msg } = await room.call(createScene, body(fields))
  return [code, msg]
}
const deviceTrigger = (fields: Record<string, unknown> = {}) => ({
  productID,
  selector: 'all',
  operator: 'reportProperty',
  operationSchema: { dataID: ['temp'], termType: 'gt', values: ['80'] },
  ...fields,
})
const onDevice = (fields: Record<string, unknown> = {}) => ({
  triggerType: 'device',
  trigger: JSON.stringify({ device: [deviceTrigger(fields)] }),
})
const linkAlarm = async (sceneID: number, name: string) => {
  const { id } = await room.db.insertInto('alarm').values({ name, level: 5 }).returning('id').executeTakeFirstOrThrow()
  await room.db.insertInto('alarm_scene').values({ alarm_id: id, scene_id: sceneID }).execute()
  return id
}

describe('reading back (rules.md 2 to 4)', () => {
  test('a timer scene comes back as the object form, other executors are null', async () => {
    const { id } = await room.ask(
      createScene,
      body({ triggerType: 'timer', trigger: '{"timer":{"type":"cron","cron":"0 0 12 * * ?"}}', desc: '中午' }) as never,
    )
    const scene = await read(id)
    expect(JSON.parse(scene.trigger)).toEqual({ device: null, timer: { type: 'cron', cron: '0 0 12 * * ?' } })
    expect(JSON.parse(scene.then)).toEqual([
      { executor: 'delay', delay: { time: 0, unit: 'seconds' }, device: null, alarm: null, notify: null, scene: null },
    ])
    expect(scene).toMatchObject({ when: '[]', status: 1, desc: '中午', rev: 1, updatedBy: 'operator', lastResult: 0 })
    expect(scene.nextRunTime).toBeGreaterThan(room.clock.now())
    expect(Math.abs(scene.createdTime - Date.now() / 1000)).toBeLessThan(60)
  })

  test('a bare list of device triggers is accepted; values stay as they were sent', async () => {
    const when = [
      {
        columnType: 'property',
        columnSchema: { productID, deviceName: pump.deviceName, dataID: ['temp'], termType: 'gt', values: '30' },
        netCondition: 'and',
      },
    ]
    const trigger = JSON.stringify([deviceTrigger()])
    const { id } = await room.ask(
      createScene,
      body({ triggerType: 'device', trigger, when: JSON.stringify(when) }) as never,
    )
    const scene = await read(id)
    expect(JSON.parse(scene.trigger)).toMatchObject({ device: [{ operator: 'reportProperty' }], timer: null })
    expect(JSON.parse(scene.when)[0].columnSchema.values).toBe('30')
    expect(scene.triggerText.map((part) => part.text).join('')).toContain('温度 > 80 ℃')
    expect(scene.whenText.map((part) => part.text).join('')).toContain('温度 > 30 ℃')
    expect(scene.thenText.map((part) => part.text).join('')).toContain('延时')
    expect(scene.problems).toEqual([])
  })

  test('what the public console leaves out counts as nothing; without actions it is stored but off', async () => {
    const { id } = await room.ask(createScene, { name: '空场景', triggerType: 'manual', when: '', status: 0 } as never)
    expect(await read(id)).toMatchObject({ when: '[]', then: '[]', status: 2 })
    expect(await refusal({ then: '[]', status: 1 })).toEqual([100006, '参数错误:没有动作的场景不能启用，请先添加动作'])
    const scene = await read(id)
    expect((await room.call(updateScene, { ...scene, status: 1 })).code).toBe(100006)
  })
})

describe('refusals when saving', () => {
  test.each([
    ['no JSON', { then: '{' }, '动作：JSON 格式不对'],
    ['no cron', { triggerType: 'timer', trigger: '{}' }, '触发：请填写 cron 表达式'],
    [
      'a cron that never runs',
      { triggerType: 'timer', trigger: '{"timer":{"cron":"0 0 0 31 2 *"}}' },
      'cron表达式检验不通过:0 0 0 31 2 *',
    ],
    ['no device trigger', { triggerType: 'device', trigger: '{}' }, '至少需要一个设备触发'],
  ])('%s', async (_, fields, text) => {
    const [code, msg] = await refusal(fields)
    expect(code).toBe(100006)
    expect(msg).toContain(text)
  })

  test.each<[string, () => Record<string, unknown>, string]>([
    ['an unknown product', () => onDevice({ productID: 'nobody' }), '触发 1：产品 nobody 不存在'],
    ['an unknown property', () => onDevice({ operationSchema: { dataID: ['x'] } }), '没有属性 x'],
    ['a struct without its member', () => onDevice({ operationSchema: { dataID: ['motor'] } }), '是结构体，须指定成员'],
    ['an unknown member', () => onDevice({ operationSchema: { dataID: ['motor', 'x'] } }), '没有成员 x'],
    ['an array', () => onDevice({ operationSchema: { dataID: ['samples'] } }), '是数组，不能用于场景'],
    ['a member of a plain property', () => onDevice({ operationSchema: { dataID: ['temp', 'x'] } }), '不是结构体'],
    [
      'a value of another type',
      () => onDevice({ operationSchema: { dataID: ['temp'], termType: 'gt', values: ['warm'] } }),
      '不能与「warm」比较',
    ],
    ['an unknown event', () => onDevice({ operator: 'reportEvent', operationSchema: { dataID: ['x'] } }), '没有事件 x'],
    [
      'an unknown parameter',
      () => onDevice({ operator: 'reportEvent', operationSchema: { dataID: ['leak', 'x'] } }),
      '没有参数 x',
    ],
    [
      'an event compared without a parameter',
      () => onDevice({ operator: 'reportEvent', operationSchema: { dataID: ['leak'], termType: 'gt', values: '1' } }),
      '须指定参数',
    ],
    [
      'an unknown property that falls silent',
      () => onDevice({ operator: 'noReport', operationSchema: { dataID: ['x'], minutes: 5 } }),
      '没有属性 x',
    ],
    [
      'unknown devices',
      () => onDevice({ selector: 'fixed', selectorValues: [pump.deviceName, 'ghost'] }),
      '没有设备 ghost',
    ],
    ['an unknown group', () => onDevice({ selector: 'group', selectorValues: ['999999'] }), '分组 999999 不存在'],
  ])('triggers: %s', async (_, fields, text) => {
    const [code, msg] = await refusal(fields())
    expect(code).toBe(100006)
    expect(msg).toContain(text)
  })

  const condition = (fields: Record<string, unknown>) => ({
    when: JSON.stringify([
      {
        columnType: 'property',
        columnSchema: {
          productID,
          deviceName: pump.deviceName,
          dataID: ['temp'],
          termType: 'gt',
          values: '30',
          ...fields,
        },
        netCondition: 'and',
      },
    ]),
  })
  test.each<[string, () => Record<string, unknown>, string]>([
    ['an unknown device', () => condition({ deviceName: 'ghost' }), '条件 1：产品'],
    ['an unknown property', () => condition({ dataID: ['x'] }), '没有属性 x'],
    ['a value of another type', () => condition({ values: 'warm' }), '不能与「warm」比较'],
    [
      'the device that starts it, in a timer scene',
      () => ({ triggerType: 'timer', trigger: '{"timer":{"cron":"0 0 12 * * *"}}', ...condition({ deviceName: '' }) }),
      '定时场景没有触发设备',
    ],
    [
      'a time that cannot be read',
      () => ({ when: JSON.stringify([{ columnType: 'sysTime', columnTime: { type: 'cron', cron: 'soon' } }]) }),
      '时间条件无法识别',
    ],
  ])('conditions: %s', async (_, fields, text) => {
    const [code, msg] = await refusal(fields())
    expect(code).toBe(100006)
    expect(msg).toContain(text)
  })

  const acting = (action: unknown) => ({ then: JSON.stringify([action]) })
  const only = () => ({ productID, selector: 'fixed', selectorValues: [pump.deviceName] })
  test.each<[string, () => Record<string, unknown>, number, string]>([
    ['a read-only property', () => acting(steps.set(only(), { temp: 5 })), 100006, '属性 temp 是只读的'],
    ['an unknown property', () => acting(steps.set(only(), { x: 5 })), 100006, '查不到物模型:属性 x'],
    ['a value beyond the limit', () => acting(steps.set(only(), { speed: 9000 })), 100015, 'speed'],
    ['a value between the steps', () => acting(steps.set(only(), { speed: 15 })), 100015, 'speed'],
    ['an action without its input', () => acting(steps.invoke(only(), 'flush', {})), 100006, '缺少参数 seconds'],
    ['an action that devices call', () => acting(steps.invoke(only(), 'help', {})), 100006, '由设备调用'],
    ['an unknown action', () => acting(steps.invoke(only(), 'x', {})), 100006, '查不到物模型:行为 x'],
    [
      'an unknown device',
      () => acting(steps.set({ productID, selector: 'fixed', selectorValues: ['ghost'] }, { power: 1 })),
      100006,
      '没有设备 ghost',
    ],
    ['an unknown channel', () => acting(steps.notify({ channelIDs: [999_999] })), 100006, '通知渠道 999999 不存在'],
    ['an unknown scene', () => acting(steps.run(999_999)), 100006, '场景 999999 不存在'],
    [
      'a device that starts it, of another product',
      () => ({
        ...onDevice({ productID: otherProduct, operationSchema: { dataID: ['temp'] } }),
        ...acting(steps.set({ productID, selector: 'trigger' }, { power: 1 })),
      }),
      100006,
      '触发设备不属于产品',
    ],
  ])('actions: %s', async (_, fields, code, text) => {
    const [given, msg] = await refusal(fields())
    expect(given).toBe(code)
    expect(msg).toContain(text)
  })
  let otherProduct = ''
  beforeAll(async () => {
    otherProduct = await room.product()
  })

  test('a name that is taken, also in an edit', async () => {
    const one = await room.scene([steps.delay(0)], { name: '同名' })
    expect(await refusal({ name: '同名' })).toEqual([100006, '场景名字重复'])
    const other = await read(await room.scene([steps.delay(0)]))
    expect((await room.call(updateScene, { ...other, name: '同名' })).msg).toBe('场景名字重复')
    expect((await room.call(updateScene, await read(one))).code).toBe(200)
  })

  test('scenes that run each other in a ring, also through several', async () => {
    const a = await room.scene([steps.delay(0)], { name: '环 A' })
    const b = await room.scene([steps.run(a)], { name: '环 B' })
    const c = await room.scene([steps.delay(1), steps.run(b)], { name: '环 C' })
    const first = await read(a)
    const ring = await room.call(updateScene, { ...first, then: JSON.stringify([steps.run(c)]) })
    expect(ring).toMatchObject({
      code: 100006,
      msg: '参数错误:场景不能循环执行：「环 A」 → 「环 C」 → 「环 B」 → 「环 A」',
    })
    const self = await room.call(updateScene, { ...first, then: JSON.stringify([steps.run(a)]) })
    expect(self).toMatchObject({ code: 100006, msg: '参数错误:动作 1：场景不能执行自己' })
    expect(await read(a)).toMatchObject({ then: first.then, rev: first.rev })
  })
})

describe('editing', () => {
  test('an edit of an older version is refused; without a version the last one wins', async () => {
    const id = await room.scene([steps.delay(0)])
    const scene = await read(id)
    await room.ask(updateScene, { ...scene, desc: '一' })
    expect(await room.call(updateScene, { ...scene, desc: '二' })).toMatchObject({ code: errors.staleEdit.code })
    const { rev: _, ...whole } = scene
    await room.ask(updateScene, { ...whole, desc: '三' })
    expect(await read(id)).toMatchObject({ desc: '三', rev: 3 })
  })

  test('a list record with its status turned switches the scene, by `state` too', async () => {
    const id = await room.scene([steps.delay(0)])
    const { list } = await room.ask(listScenes, { sceneIDs: [id] })
    await room.ask(updateScene, { ...list[0], status: 2 } as never)
    expect((await read(id)).status).toBe(2)
    const { status: _, ...rest } = await read(id)
    await room.ask(updateScene, { ...rest, state: 1 } as never)
    expect((await read(id)).status).toBe(1)
  })

  test('a scene whose device is gone is switched off, renamed and deleted, and neither changed nor switched on', async () => {
    const { deviceName, deviceID } = await room.device(productID)
    const id = await room.scene([steps.delay(0)], onDevice({ selector: 'fixed', selectorValues: [deviceName] }))
    await room.db.deleteFrom('device').where('device_id', '=', deviceID).execute()
    const scene = await read(id)
    const refused = { code: 100006, msg: expect.stringContaining(`没有设备 ${deviceName}`) }
    expect(await room.call(updateScene, { ...scene, desc: '还启用着' })).toMatchObject(refused)
    const changed = { status: 2, then: JSON.stringify([steps.delay(1)]) }
    expect(await room.call(updateScene, { ...scene, ...changed })).toMatchObject(refused)
    await room.ask(updateScene, { ...scene, status: 2 })
    expect(await read(id)).toMatchObject({ status: 2, trigger: scene.trigger })
    await room.ask(updateScene, { ...(await read(id)), name: `${scene.name} 旧` })
    expect(await room.call(updateScene, { ...(await read(id)), status: 1 })).toMatchObject(refused)
    await room.ask(deleteScene, { id })
  })

  test('a scene that is gone is not found', async () => {
    expect((await room.call(readScene, { id: 999_999 })).code).toBe(100009)
    expect((await room.call(updateScene, { ...body(), id: 999_999 })).code).toBe(100009)
    expect((await room.call(deleteScene, { id: 999_999 })).code).toBe(100009)
    expect((await room.call(triggerScene, { id: 999_999 })).code).toBe(100009)
  })
})

describe('deleting', () => {
  test('linked to an alarm or run by another scene: refused with the names; enabled: as existing consoles do', async () => {
    const id = await room.scene([steps.delay(0)])
    const user = await room.scene([steps.run(id)], { name: '使用者' })
    expect(await room.call(deleteScene, { id })).toMatchObject({
      code: 100019,
      msg: expect.stringContaining('「使用者」'),
    })
    await room.ask(updateScene, { ...(await read(user)), then: JSON.stringify([steps.delay(0)]) })
    const alarmID = await linkAlarm(id, '超温告警')
    expect(await room.call(deleteScene, { id })).toMatchObject({
      code: 100019,
      msg: expect.stringContaining('「超温告警」'),
    })
    await room.db.deleteFrom('alarm').where('id', '=', alarmID).execute()
    await room.ask(deleteScene, { id })
    expect((await room.call(readScene, { id })).code).toBe(100009)
  })
})

describe('starting by hand (rules.md 4)', () => {
  test('only what is enabled and manual', async () => {
    const off = await room.scene([steps.delay(0)], { status: 2 })
    expect((await room.call(triggerScene, { id: off })).code).toBe(100021)
    const timer = await room.scene([steps.delay(0)], {
      triggerType: 'timer',
      trigger: '{"timer":{"cron":"0 0 12 1 1 *"}}',
    })
    expect((await room.call(triggerScene, { id: timer })).code).toBe(100006)
  })

  test('the conditions are not asked', async () => {
    const never = { columnType: 'sysTime', columnTime: { type: 'range', start: '00:00', end: '00:01', weekdays: [] } }
    const id = await room.scene([steps.delay(0)], {
      when: JSON.stringify(
        [never, never].map((one) => ({
          ...one,
          columnTime: { ...one.columnTime, weekdays: [((new Date().getDay() + 2) % 7) + 1] },
        })),
      ),
    })
    const { runID } = await room.ask(triggerScene, { id })
    expect(await room.ended(id)).toMatchObject({ runID, result: RunResult.success })
  })
})

describe('lists', () => {
  test("every filter, order and page is the server's", async () => {
    const make = (name: string, fields = {}) => room.scene([steps.delay(0)], { name, ...fields })
    const a = await make('清单_甲')
    const b = await make('清单_乙', { status: 2 })
    const c = await make('清单%丙', { triggerType: 'timer', trigger: '{"timer":{"cron":"0 0 12 1 1 *"}}' })
    const alarmID = await linkAlarm(b, '清单告警')
    await room.ask(triggerScene, { id: a })
    await room.ended(a)
    await expect.poll(async () => (await read(a)).lastResult).toBe(RunResult.success)
    const ids = async (filter: Record<string, unknown>) => {
      const { list, total, num } = await room.ask(listScenes, { name: '清单', ...filter } as never)
      expect([total, num]).toEqual([total, list.length])
      return list.map((one) => one.id)
    }
    expect(await ids({})).toEqual([c, b, a])
    expect(await ids({ name: '清单%' })).toEqual([c])
    expect(await ids({ triggerType: 'timer' })).toEqual([c])
    expect(await ids({ triggerType: '' })).toHaveLength(3)
    expect(await ids({ status: 2 })).toEqual([b])
    expect(await ids({ state: 1 })).toEqual([c, a])
    expect(await ids({ alarmID: String(alarmID) })).toEqual([b])
    expect(await ids({ lastResult: RunResult.success })).toEqual([a])
    expect(await ids({ sceneIDs: [a, b] })).toEqual([b, a])
    const d = await make('产品的场景', onDevice())
    expect(await ids({ name: '产品的场景', productID })).toEqual([d])
    expect(await ids({ name: '产品的场景', productID: 'other' })).toEqual([])
    expect(await ids({ page: { orders: [{ field: 'name', sort: 1 }] } })).toHaveLength(3)
    expect(await ids({ page: { orders: [{ field: 'lastRunTime', sort: 2 }] } })).toEqual([a, c, b])
    expect(await ids({ page: { page: 2, size: 2 } })).toEqual([a])
    expect((await room.call(listScenes, { page: { orders: [{ field: 'secret' }] } })).code).toBe(100006)
    const { list } = await room.ask(listScenes, { sceneIDs: [a, b] })
    const [second, first] = list
    expect(second?.alarms).toEqual([{ id: alarmID, name: '清单告警', level: 5, status: 1 }])
    expect(first).toMatchObject({ lastText: '1 个动作成功', firedByDay: [0, 0, 0, 0, 0, 0, 1] })
    expect(first?.lastRunTime).toBeGreaterThan(0)
  })

  test('what a scene needs and that is gone is told, as is an alarm action without an alarm', async () => {
    const ghost = await room.device(productID)
    const id = await room.scene([
      steps.set({ productID, selector: 'fixed', selectorValues: [ghost.deviceName] }, { power: 1 }),
      steps.raise(),
    ])
    await room.db.deleteFrom('device').where('device_id', '=', ghost.deviceID).execute()
    const { problems, hints } = await read(id)
    expect(problems).toEqual([expect.stringContaining(`没有设备 ${ghost.deviceName}`)])
    expect(hints).toEqual(['动作 2：没有关联的告警配置'])
  })

  test('a scene that is only hinted at is switched on as it is listed', async () => {
    const when = JSON.stringify([{ columnType: 'event', netCondition: 'and' }])
    const then = JSON.stringify([steps.raise()])
    const { id } = await room.ask(createScene, { ...body(), triggerType: 'manual', status: 2, when, then })
    const { list } = await room.ask(listScenes, { sceneIDs: [id] })
    expect(list).toMatchObject([
      { problems: [], hints: ['条件 1：事件不能作为条件，它永远不成立', '动作 1：没有关联的告警配置'] },
    ])
    await room.ask(updateScene, { ...(await read(id)), status: 1 })
    expect(await read(id)).toMatchObject({ status: 1 })
  })

  test('counters of the last day', async () => {
    const before = await room.ask(countScenes, {})
    const id = await room.scene([
      steps.set({ productID, selector: 'fixed', selectorValues: [pump.deviceName] }, { power: 1 }),
    ])
    await room.ask(triggerScene, { id })
    expect((await room.ended(id)).result).toBe(RunResult.failed)
    await expect.poll(async () => (await room.ask(countScenes, {})).failed).toBe(before.failed + 1)
    const after = await room.ask(countScenes, {})
    expect(after).toMatchObject({
      total: before.total + 1,
      enabled: before.enabled + 1,
      fired: before.fired + 1,
      failedScenes: before.failedScenes + 1,
    })
    expect(after.actionP99).toBeGreaterThanOrEqual(0)
  })
})

test('what others ask by the door: who uses a property or channel, what a message started', async () => {
  const { db } = room
  const channel = await db
    .insertInto('notify_channel')
    .values({ name: '门口', type: 'webhook', settings: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const id = await room.scene([steps.delay(0), steps.notify({ channelIDs: [channel.id] })], {
    name: '引用',
    ...onDevice(),
  })
  expect(await scenesUsingChannel(db, channel.id)).toEqual(['引用'])
  const uses = said(await findSceneReferences(db, productID, ['temp', 'speed']))
  expect(uses).toContainEqual({ identifier: 'temp', kind: '场景', title: '引用', count: 1 })
  const traceID = 'f'.repeat(22)
  room.runner.fire(firingOf(id, { traceID }))
  await room.ended(id)
  await db
    .insertInto('scene_miss')
    .values({ scene_id: id, at: room.clock.now() + 1, reason: '还早', trace_id: traceID })
    .execute()
  expect(said(await scenesOfTrace(db, traceID))).toMatchObject([
    { sceneName: '引用', ok: true, text: '成功，2 个动作' },
    { runID: '', ok: false, text: '未触发：还早' },
  ])
})

test('the editor says which alarms a scene raises: all of them, none of them, or nothing about it', async () => {
  const other = await room.ask(createScene, body() as never)
  const [one, two] = [await linkAlarm(other.id, '压力高'), await linkAlarm(other.id, '压力低')]
  const { id } = await room.ask(createScene, body({ alarmIDs: [one, one] }) as never)
  const linked = async () => (await read(id)).alarms.map((alarm) => alarm.id)
  expect(await linked()).toEqual([one])
  await room.ask(updateScene, { id, alarmIDs: [two] })
  expect(await linked()).toEqual([two])
  await room.ask(updateScene, { id, desc: '不提告警' })
  expect(await linked()).toEqual([two])
  expect(await room.call(updateScene, { id, desc: '没有存', alarmIDs: [999_999] })).toMatchObject({ code: 100009 })
  expect(await read(id)).toMatchObject({ desc: '不提告警', alarms: [{ id: two }] })
  await room.ask(updateScene, { id, alarmIDs: [] })
  expect(await linked()).toEqual([])
  expect((await read(other.id)).alarms).toHaveLength(2)
})
