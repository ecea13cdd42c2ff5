import {
  addScenes,
  createAlarm,
  deleteAlarm,
  linkScenes,
  listAlarms,
  readAlarm,
  unlinkScene,
  updateAlarm,
} from '@ithings/contract/features/alarms/config.ts'
import { listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import { createScene, listScenes } from '@ithings/contract/features/scenes/info.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'
import { alarmsUsingChannel } from './references.ts'
import { type AlarmRoom, makeAlarm, makeChannel, makeScene, openAlarms, runOf } from './testing/alarm-room.ts'

const alarmsOfScene = (db: Db, sceneID: number) =>
  db.selectFrom('alarm_scene').select('alarm_id as id').where('scene_id', '=', sceneID).execute()

let room: AlarmRoom
beforeAll(async () => {
  room = await openAlarms()
})
afterAll(() => room.close())

const noNotify = {
  channelIDs: [],
  renotifyMinutes: 0,
  flapSeconds: 0,
  slaMinutes: 0,
  notifyCleared: false,
  title: '',
  content: '',
}
const read = (id: number) => room.asAdmin(readAlarm, { id })

describe('create', () => {
  test('http-api.md 6: an alarm comes back with every field and its wire type', async () => {
    const before = Date.now()
    const { id } = await room.asAdmin(createAlarm, { name: ' 水泵过热 ', level: '4' })
    const alarm = await read(id)
    expect(alarm).toEqual({
      id,
      name: '水泵过热',
      status: 1,
      state: 1,
      desc: '',
      level: 4,
      createdTime: expect.any(Number),
      rev: 1,
      notify: noNotify,
      sceneCount: 0,
      raisingCount: 0,
      openCount: 0,
    })
    expect(alarm.createdTime).toBeGreaterThanOrEqual(before)
  })

  test.each([
    [{ state: 2 }, 2],
    [{ status: 2 }, 2],
    [{ status: '1' }, 1],
    [{ state: 0 }, 1],
  ])('decisions.md 2: %j is taken', async (given, status) => {
    const { id } = await room.asAdmin(createAlarm, { name: uniqueText('状态'), level: 1, ...given })
    expect(await read(id)).toMatchObject({ status, state: status })
  })

  test('settings of the notification are kept, their defaults filled in', async () => {
    const channel = await makeChannel(room)
    const notify = { channelIDs: [channel], renotifyMinutes: 30, notifyCleared: true }
    const { id } = await room.asAdmin(createAlarm, { name: uniqueText('通知'), level: 1, notify })
    expect((await read(id)).notify).toEqual({ ...noNotify, ...notify })
    expect(await alarmsUsingChannel(room.world.db, channel)).toMatchObject([{ id, status: 1, level: 1 }])
  })

  test.each([
    [{ level: 3 }, 100006, 'name'],
    [{ name: 'x' }, 100006, 'level'],
    [{ name: 'x', level: 6 }, 100006, 'level'],
    [{ name: 'x'.repeat(65), level: 1 }, 100006, 'name'],
    [{ name: 'x', level: 1, notify: { channelIDs: [999] } }, 100009, '通知渠道 999 不存在'],
  ])('%j is refused', async (body, code, text) => {
    const answer = await room.call(createAlarm, body)
    expect(answer).toMatchObject({ status: 400, code })
    expect(JSON.stringify(answer)).toContain(text)
  })

  test('half a character in the words of a notification is refused, and no failure of the server', async () => {
    const body = { name: uniqueText('文案'), level: 1 }
    for (const notify of [{ title: 'a\ud800' }, { content: '\0b' }]) {
      expect(await room.call(createAlarm, { ...body, notify })).toMatchObject({ code: 100006 })
    }
  })

  test('a name that exists is refused with 100010', async () => {
    const name = uniqueText('重名')
    await room.asAdmin(createAlarm, { name, level: 1 })
    expect(await room.call(createAlarm, { name, level: 1 })).toMatchObject({
      code: 100010,
      msg: `告警名称重复:${name}`,
    })
  })

  test('who has no right is refused with 403', async () => {
    const { token } = await makeSignedIn(room.world, { role: await makeRole(room.world, [readAlarm]) })
    expect(await room.call(createAlarm, { name: 'x', level: 1 }, token)).toMatchObject({ status: 403, code: 100012 })
    expect(await room.call(createAlarm, { name: 'x', level: 1 }, '')).toMatchObject({ status: 401 })
  })
})

describe('with the scene that raises it', () => {
  const manual = (name: string) => ({ name, triggerType: 'manual' as const, then: JSON.stringify([raise]) })
  const raise = { executor: 'alarm', alarm: { mode: 'trigger' } }

  test('both are there, linked and enabled, or neither', async () => {
    const { world } = room
    const name = uniqueText('压力高')
    const made = await world.asAdmin(createScene, { ...manual(name), alarm: { name, level: 3 } })
    expect(await read(made.alarmID ?? 0)).toMatchObject({ name, level: 3, status: 1, sceneCount: 1, raisingCount: 1 })
    const other = uniqueText('另一个')
    await expect(world.asAdmin(createScene, { ...manual(other), alarm: { name, level: 3 } })).rejects.toThrow(
      `告警名称重复:${name}`,
    )
    expect((await world.asAdmin(listScenes, { name: other })).list).toEqual([])
    await expect(world.asAdmin(createScene, { ...manual(name), alarm: { name: other, level: 3 } })).rejects.toThrow(
      '重复',
    )
    expect((await room.asAdmin(listAlarms, { name: other })).list).toEqual([])
  })

  test('it needs the rights of both, and that of linking them', async () => {
    const { world } = room
    const body = (name: string) => ({ ...manual(name), alarm: { name, level: 3 } })
    for (const rights of [[createScene], [createScene, createAlarm], [createScene, linkScenes]]) {
      const { token } = await makeSignedIn(world, { role: await makeRole(world, rights) })
      expect(await world.call(createScene, body(uniqueText('无权')), { token })).toMatchObject({ code: 100012 })
    }
    const { token } = await makeSignedIn(world, { role: await makeRole(world, [createScene, createAlarm, linkScenes]) })
    expect(await world.call(createScene, body(uniqueText('有权')), { token })).toMatchObject({ code: 200 })
  })
})

describe('update', () => {
  test('what is left out stays', async () => {
    const { id } = await room.asAdmin(createAlarm, {
      name: uniqueText('改'),
      level: 5,
      desc: '说明',
      notify: { flapSeconds: 60 },
    })
    const before = await read(id)
    await room.asAdmin(updateAlarm, { id, level: 2 })
    expect(await read(id)).toEqual({ ...before, level: 2, rev: 2 })
    await room.asAdmin(updateAlarm, { id, desc: '' })
    expect(await read(id)).toEqual({ ...before, level: 2, desc: '', rev: 3 })
  })

  test('rules.md 5: the toggle of existing consoles sends the row with one of both names changed', async () => {
    const { id } = await room.asAdmin(createAlarm, { name: uniqueText('开关'), level: 1 })
    await room.asAdmin(updateAlarm, { ...(await read(id)), state: 2 })
    expect(await read(id)).toMatchObject({ status: 2, state: 2 })
    await room.asAdmin(updateAlarm, { ...(await read(id)), status: 1 })
    expect(await read(id)).toMatchObject({ status: 1, state: 1 })
    await room.asAdmin(updateAlarm, { id, name: uniqueText('开关') })
    expect(await read(id)).toMatchObject({ status: 1, state: 1 })
  })

  test('refusals: stale rev 900001, name of another 100010, unknown alarm or channel 100009', async () => {
    const taken = uniqueText('占用')
    await room.asAdmin(createAlarm, { name: taken, level: 1 })
    const { id } = await room.asAdmin(createAlarm, { name: uniqueText('改'), level: 1 })
    await room.asAdmin(updateAlarm, { id, level: 2, rev: 1 })
    expect(await room.call(updateAlarm, { id, level: 3, rev: 1 })).toMatchObject({ code: 900001 })
    expect(await room.call(updateAlarm, { id, name: taken })).toMatchObject({ code: 100010 })
    expect(await room.call(updateAlarm, { id: 987654, level: 3 })).toMatchObject({ code: 100009 })
    expect(await room.call(updateAlarm, { id, notify: { channelIDs: [998] } })).toMatchObject({ code: 100009 })
    expect(await read(id)).toMatchObject({ level: 2, rev: 2 })
  })
})

describe('delete', () => {
  test('an alarm, also an enabled one, goes with records, logs and links', async () => {
    const scene = await makeScene(room)
    const id = await makeAlarm(room, [scene])
    await room.door.raise(runOf(scene))
    expect(await read(id)).toMatchObject({ sceneCount: 1, openCount: 1 })
    await room.asAdmin(deleteAlarm, { id })
    expect(await room.call(readAlarm, { id })).toMatchObject({ code: 100009 })
    expect(await room.asAdmin(listAlarmRecords, { alarmID: id })).toMatchObject({ total: 0 })
    expect(await alarmsOfScene(room.world.db, scene)).toEqual([])
    expect(await room.call(deleteAlarm, { id })).toMatchObject({ code: 100009 })
  })
})

describe('list', () => {
  test('filters: name, status or state, levels, ids and scene', async () => {
    const scene = await makeScene(room)
    const start = uniqueText('列表%')
    const one = await makeAlarm(room, [scene], { name: `${start}一`, level: 5 })
    const two = await makeAlarm(room, [], { name: `${start}二`, level: 1, state: 2 })
    const ids = async (filter: object) =>
      (await room.asAdmin(listAlarms, { name: start, ...filter })).list.map((alarm) => alarm.id)
    expect(await ids({})).toEqual([two, one])
    expect(await ids({ state: 2 })).toEqual([two])
    expect(await ids({ status: '1' })).toEqual([one])
    expect(await ids({ levels: [5, 4] })).toEqual([one])
    expect(await ids({ levels: [] })).toEqual([two, one])
    expect(await ids({ alarmIDs: [two, 999] })).toEqual([two])
    expect(await ids({ alarmIDs: null, sceneID: '' })).toEqual([two, one])
    expect(await ids({ sceneID: String(scene) })).toEqual([one])
    expect(await room.asAdmin(listAlarms, { name: start, page: { page: 2, size: 1 } })).toMatchObject({
      list: [{ id: one }],
      total: 2,
      num: 2,
    })
  })

  test('counts scenes, those that raise, and open records; sorts by all fields', async () => {
    const raising = await makeScene(room, 'trigger')
    const scenes = [raising, await makeScene(room, 'relieve'), await makeScene(room, 'neither')]
    const start = uniqueText('计数')
    const full = await makeAlarm(room, scenes, { name: `${start}a`, level: 2 })
    const empty = await makeAlarm(room, [], { name: `${start}b`, level: 1 })
    await room.door.raise(runOf(raising))
    await room.door.raise(runOf(raising, { device: { productID: 'P1', deviceName: 'pump-2', deviceID: 2 } }))
    expect(await read(full)).toMatchObject({ sceneCount: 3, raisingCount: 1, openCount: 2 })
    for (const [field, first] of [
      ['name', full],
      ['level', empty],
      ['openCount', empty],
      ['createdTime', full],
      ['status', empty],
    ] as const) {
      const { list } = await room.asAdmin(listAlarms, { name: start, page: { orders: [{ field, sort: 1 }] } })
      expect(list[0]?.id, field).toBe(first)
    }
    const bad = await room.call(listAlarms, { page: { orders: [{ field: 'x' }] } })
    expect(bad).toMatchObject({ code: 100006, msg: expect.stringContaining('openCount') })
  })
})

describe('links', () => {
  const linked = async (alarmID: number) =>
    (
      await room.world.db
        .selectFrom('alarm_scene')
        .select('scene_id')
        .where('alarm_id', '=', alarmID)
        .orderBy('scene_id')
        .execute()
    ).map((row) => row.scene_id)

  test('multi-update replaces, multi-create adds, delete takes one away', async () => {
    const scenes = [await makeScene(room), await makeScene(room), await makeScene(room)]
    const [one = 0, two = 0, three = 0] = scenes
    const alarmID = await makeAlarm(room, [one, two])
    expect(await linked(alarmID)).toEqual([one, two])
    await room.asAdmin(linkScenes, { alarmID, sceneIDs: [two, three, three] })
    expect(await linked(alarmID)).toEqual([two, three])
    await room.asAdmin(addScenes, { alarmID, sceneIDs: [one, two] })
    expect(await linked(alarmID)).toEqual([one, two, three])
    await room.asAdmin(unlinkScene, { alarmID, sceneID: two })
    expect(await linked(alarmID)).toEqual([one, three])
    expect(await alarmsOfScene(room.world.db, one)).toMatchObject([{ id: alarmID }])
    await room.asAdmin(linkScenes, { alarmID, sceneIDs: [] })
    expect(await linked(alarmID)).toEqual([])
  })

  test('what is unknown is refused by name and changes nothing', async () => {
    const scene = await makeScene(room)
    const alarmID = await makeAlarm(room, [scene])
    for (const endpoint of [linkScenes, addScenes]) {
      const answer = await room.call(endpoint, { alarmID, sceneIDs: [scene, 777_001, 777_002] })
      expect(answer).toMatchObject({ code: 100009, msg: expect.stringContaining('场景 777001、777002 不存在') })
      const unknown = await room.call(endpoint, { alarmID: 777_003, sceneIDs: [scene] })
      expect(unknown).toMatchObject({ code: 100009, msg: expect.stringContaining('告警 777003 不存在') })
    }
    expect(await room.call(unlinkScene, { alarmID, sceneID: 777_001 })).toMatchObject({ code: 100009 })
    expect(await room.call(linkScenes, { alarmID })).toMatchObject({ code: 100006 })
    expect(await linked(alarmID)).toEqual([scene])
  })
})

test('ids beyond any row are unknown, not a failure of the server', async () => {
  const id = 99_999_999_999
  const alarmID = await makeAlarm(room, [])
  expect(await room.call(readAlarm, { id })).toMatchObject({ code: 100009 })
  expect(await room.call(updateAlarm, { id, level: 1 })).toMatchObject({ code: 100009 })
  expect(await room.call(deleteAlarm, { id })).toMatchObject({ code: 100009 })
  expect(await room.call(linkScenes, { alarmID, sceneIDs: [id] })).toMatchObject({ code: 100009 })
  expect(await room.call(unlinkScene, { alarmID, sceneID: id })).toMatchObject({ code: 100009 })
  expect(await room.call(updateAlarm, { id: alarmID, notify: { channelIDs: [id] } })).toMatchObject({ code: 100009 })
  expect(await room.asAdmin(listAlarms, { alarmIDs: [id], sceneID: id })).toMatchObject({ total: 0 })
  expect(await room.asAdmin(listAlarmRecords, { alarmID: id, sceneID: id, recordIDs: [id] })).toMatchObject({
    total: 0,
  })
})
