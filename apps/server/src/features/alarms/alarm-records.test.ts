import { updateAlarm } from '@ithings/contract/features/alarms/config.ts'
import {
  claimRecords,
  countAlarmLogs,
  countAlarmRecords,
  createDealRecord,
  dealRecords,
  ignoreRecords,
  listAlarmLogs,
  listAlarmRecords,
  listDealRecords,
} from '@ithings/contract/features/alarms/record.ts'
import { deleteDevice } from '@ithings/contract/features/devices/info.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { makeRole, makeSignedIn } from '#testing/people.ts'
import { dropOldAlarms } from './housekeeping.ts'
import { type AlarmRoom, makeAlarm, makeScene, onlyRecord, openAlarms, runOf } from './testing/alarm-room.ts'

let room: AlarmRoom
let scene: number
beforeAll(async () => {
  room = await openAlarms()
})
afterAll(() => room.close())
beforeEach(async () => {
  await room.world.db.deleteFrom('alarm').execute()
  scene = await makeScene(room)
  room.changes.splice(0)
})

const minute = 60_000
const deviceOf = (deviceName: string, productID = 'P1') => ({ productID, deviceName, deviceID: 1 })
async function raise(alarmScene: number, deviceName: string, productID?: string): Promise<void> {
  room.world.clock.advance(1_000)
  await room.door.raise(runOf(alarmScene, { device: deviceOf(deviceName, productID) }))
}
const list = (filter: object = {}) => room.asAdmin(listAlarmRecords, filter)
const names = async (filter: object = {}) => (await list(filter)).list.map((record) => record.deviceName)
const idsOf = async (filter: object = {}) => (await list(filter)).list.map((record) => record.id)
const count = (filter: object = {}) => room.asAdmin(countAlarmRecords, filter)

/** Five records: levels 5 and 2, one of them handled. */
async function fill() {
  const worst = await makeScene(room)
  await makeAlarm(room, [worst], { name: '冒烟', level: 5 })
  const mild = await makeAlarm(room, [scene], { name: '漏水', level: 2, notify: { slaMinutes: 1 } })
  await raise(worst, 'a-old')
  await raise(scene, 'b-mild')
  await raise(worst, 'c_new')
  await raise(worst, 'd-done')
  await raise(scene, 'e-mild', 'P2')
  const [done = 0] = await idsOf({ deviceName: 'd-done' })
  await room.asAdmin(createDealRecord, { alarmRecordID: done, result: '已修' })
  return { worst, mild, done }
}

describe('list', () => {
  test('open ones first, worst first, newest first', async () => {
    await fill()
    expect(await names()).toEqual(['c_new', 'a-old', 'e-mild', 'b-mild', 'd-done'])
    const second = await list({ page: { page: 2, size: 2 } })
    expect(second).toMatchObject({ list: [{ deviceName: 'e-mild' }, { deviceName: 'b-mild' }], total: 5, num: 5 })
  })

  test('filters', async () => {
    const { worst, mild } = await fill()
    expect(await names({ dealState: 3 })).toEqual(['d-done'])
    expect(await names({ dealState: 1 })).toEqual([])
    expect(await names({ alarmID: String(mild) })).toEqual(['e-mild', 'b-mild'])
    expect(await names({ alarmID: '', sceneID: '', productID: '', deviceName: '' })).toHaveLength(5)
    expect(await names({ levels: [5], dealState: 2 })).toEqual(['c_new', 'a-old'])
    expect(await names({ keyword: '漏' })).toEqual(['e-mild', 'b-mild'])
    expect(await names({ productID: 'P2' })).toEqual(['e-mild'])
    await raise(scene, 'e-mild-2', 'P2')
    expect(await names({ productID: 'P2', deviceName: 'e-mild' })).toEqual(['e-mild'])
    expect(await count({ productID: 'P2', deviceName: 'e-mild' })).toMatchObject({ open: 1 })
    expect(await names({ productID: 'P2', deviceName: 'mild' })).toEqual([])
    expect(await names({ deviceName: 'E-MILD' })).toEqual(['e-mild-2', 'e-mild'])
    expect(await names({ deviceName: '_' })).toEqual(['c_new'])
    expect(await names({ sceneID: worst })).toEqual(['c_new', 'a-old', 'd-done'])
    expect(await names({ keyword: 'C_N' })).toEqual(['c_new'])
    const [first = 0, , third = 0] = await idsOf()
    expect(await idsOf({ recordIDs: [first, third, 999] })).toEqual([first, third])
  })

  test('a time range in seconds or milliseconds, both ends included', async () => {
    await fill()
    const { list: all } = await list({ page: { orders: [{ field: 'lastAlarm', sort: 1 }] } })
    const [, second, third] = all.map((record) => record.lastAlarm)
    if (!second || !third) throw new Error('records are missing')
    const order = { orders: [{ field: 'lastAlarm', sort: 1 }] }
    expect(await names({ timeRange: { start: second, end: third }, page: order })).toEqual(['b-mild', 'c_new'])
    expect(await names({ timeRange: { start: third + 1 }, page: order })).toEqual(['d-done', 'e-mild'])
    const seconds = { start: Math.floor(second / 1000), end: Math.floor(third / 1000) }
    expect(await names({ timeRange: seconds, page: order })).toEqual(['b-mild', 'c_new'])
    expect(await names({ timeRange: { start: 0, end: 0 } })).toHaveLength(5)
  })

  test('a record that fired again later still belongs to the time it fired in before', async () => {
    await makeAlarm(room, [scene], { name: '漏水', level: 2 })
    await raise(scene, 'a-twice')
    const [first = 0] = (await list()).list.map((record) => record.lastAlarm)
    room.world.clock.advance(5 * minute)
    await raise(scene, 'b-once')
    await raise(scene, 'a-twice')
    expect(await names({ timeRange: { start: first - minute, end: first + minute } })).toEqual(['a-twice'])
    expect(await names({ timeRange: { end: first } })).toEqual(['a-twice'])
    // Between the two times it did not fire.
    expect(await names({ timeRange: { start: first + minute, end: first + 2 * minute } })).toEqual([])
    expect(await names({ timeRange: { start: first + minute } })).toEqual(['a-twice', 'b-once'])
  })

  test('sorts by every field of the contract, others are refused', async () => {
    await fill()
    const first = async (field: string, sort: number) =>
      (await names({ page: { size: 1, orders: [{ field, sort }] } }))[0]
    expect(await first('level', 1)).toBe('e-mild')
    expect(await first('lastAlarm', 1)).toBe('a-old')
    expect(await first('lastAlarm', 2)).toBe('e-mild')
    expect(await first('firstAlarm', 1)).toBe('a-old')
    expect(await first('createdTime', 2)).toBe('e-mild')
    expect(await first('dealState', 2)).toBe('d-done')
    await raise(scene, 'b-mild')
    expect(await first('count', 2)).toBe('b-mild')
    await room.asAdmin(dealRecords, { ids: await idsOf({ deviceName: 'b-mild' }), result: 'x' })
    await raise(scene, 'b-mild')
    expect(await first('count', 2)).toBe('b-mild')
    expect(await room.call(listAlarmRecords, { page: { orders: [{ field: 'alarmName' }] } })).toMatchObject({
      code: 100006,
    })
  })

  test('found by the alias of its device; a deleted device leaves its records readable', async () => {
    const productID = await makeProduct(room.world, { productName: '冷库' })
    const device = await makeDevice(room.world, productID, { deviceName: 'cold', deviceAlias: '一号冷库' })
    const alarmID = await makeAlarm(room, [scene])
    await raise(scene, 'cold', productID)
    expect(await names({ keyword: '号冷' })).toEqual(['cold'])
    await room.world.asAdmin(deleteDevice, device)
    expect(await onlyRecord(room, alarmID)).toMatchObject({ deviceName: 'cold', deviceAlias: '', productName: '冷库' })
  })
})

describe('count', () => {
  test('open records by level, past their limit, mine, and the newest occurrence', async () => {
    await fill()
    const [id = 0] = await idsOf({ deviceName: 'a-old' })
    await room.asAdmin(claimRecords, { ids: [id] })
    const before = await count()
    expect(before).toEqual({
      open: 4,
      mine: 1,
      overdue: 0,
      levels: [
        { level: 5, open: 2, overdue: 0 },
        { level: 4, open: 0, overdue: 0 },
        { level: 3, open: 0, overdue: 0 },
        { level: 2, open: 2, overdue: 0 },
        { level: 1, open: 0, overdue: 0 },
      ],
      newestLog: expect.any(Number),
      newestOpened: (await list({ deviceName: 'e-mild' })).list[0]?.firstAlarm,
      devices: [],
    })
    room.world.clock.advance(2 * minute)
    await raise(scene, 'f-mild')
    const after = await count()
    expect(after).toMatchObject({ open: 5, overdue: 2, newestLog: before.newestLog + 1 })
    expect(after.levels[3]).toEqual({ level: 2, open: 3, overdue: 2 })
    expect(after.newestOpened).toBeGreaterThanOrEqual(before.newestOpened + 2 * minute)
    expect(await names({ overdue: true })).toEqual(['e-mild', 'b-mild'])
    expect(await names({ mine: true })).toEqual(['a-old'])
    expect(await count({ productID: 'P2', dealState: 3 })).toMatchObject({ open: 1, mine: 0, overdue: 1 })
  })

  test('of given devices: how many of each are open and how bad the worst is', async () => {
    const { worst } = await fill()
    await raise(worst, 'b-mild')
    const devices = [deviceOf('b-mild'), deviceOf('d-done'), deviceOf('e-mild', 'P2'), deviceOf('a-old', 'P2')]
    const counted = await count({ devices })
    expect(counted.open).toBe(3)
    expect(counted.devices.toSorted((a, b) => a.deviceName.localeCompare(b.deviceName))).toEqual([
      { productID: 'P1', deviceName: 'b-mild', open: 2, level: 5 },
      { productID: 'P2', deviceName: 'e-mild', open: 1, level: 2 },
    ])
    expect(await count({ devices: [] })).toMatchObject({ open: 0, devices: [] })
  })
})

test('the newest opening moves when an alarm opens, not when an open one is raised again', async () => {
  const alarmID = await makeAlarm(room, [scene])
  expect(await count()).toMatchObject({ open: 0, newestOpened: 0 })
  await raise(scene, 'a')
  const first = await count()
  expect(first.newestOpened).toBe((await onlyRecord(room, alarmID)).firstAlarm)
  await raise(scene, 'a')
  const repeated = await count()
  expect(repeated.newestOpened).toBe(first.newestOpened)
  expect(repeated.newestLog).toBeGreaterThan(first.newestLog)
  const { id } = await onlyRecord(room, alarmID)
  await room.asAdmin(ignoreRecords, { ids: [id] })
  expect((await count()).newestOpened).toBe(0)
  await raise(scene, 'a')
  expect((await count()).newestOpened).toBeGreaterThan(first.newestOpened)
})

describe('handling', () => {
  test('rules.md 5: a person handles an open record; again it is refused with 100006', async () => {
    const alarmID = await makeAlarm(room, [scene])
    await raise(scene, 'a')
    const { id, lastAlarm } = await onlyRecord(room, alarmID)
    room.world.clock.advance(minute)
    room.changes.splice(0)
    await room.asAdmin(createDealRecord, { alarmRecordID: String(id), result: ' 换了轴承 ' })
    const record = await onlyRecord(room, alarmID)
    expect(record).toMatchObject({ dealState: 3, dealUserName: 'administrator', dealResult: '换了轴承', lastAlarm })
    expect(record.dealTime).toBeGreaterThanOrEqual(lastAlarm + minute)
    expect(room.changes).toEqual([{ recordIDs: [id], opened: false }])
    expect(await room.asAdmin(listDealRecords, { alarmRecordID: id })).toEqual({
      list: [
        {
          id: expect.any(Number),
          alarmRecordID: id,
          result: '换了轴承',
          type: 1,
          alarmTime: lastAlarm,
          createdTime: record.dealTime,
          userName: 'administrator',
        },
      ],
      total: 1,
      num: 1,
    })
    expect(await room.call(createDealRecord, { alarmRecordID: id, result: 'x' })).toMatchObject({
      status: 400,
      code: 100006,
      msg: '该告警目前不处于告警中,不能处理告警',
    })
  })

  test.each([
    [{ alarmRecordID: 999_999, result: 'x' }, 100009],
    [{ alarmRecordID: 99_999_999_999, result: 'x' }, 100009],
    [{ alarmRecordID: 1, result: '' }, 100006],
    [{ alarmRecordID: 1, result: 'x'.repeat(201) }, 100006],
    [{ result: 'x' }, 100006],
  ])('%j is refused with %d', async (body, code) => {
    expect(await room.call(createDealRecord, body)).toMatchObject({ status: 400, code })
  })

  test('two people at once: one handles it', async () => {
    const alarmID = await makeAlarm(room, [scene])
    await raise(scene, 'a')
    const { id } = await onlyRecord(room, alarmID)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => room.call(createDealRecord, { alarmRecordID: id, result: 'x' })),
    )
    expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1)
    expect((await room.asAdmin(listDealRecords, { alarmRecordID: id })).total).toBe(1)
  })

  test('several at once: what cannot be done is named, the rest is done', async () => {
    const { done } = await fill()
    const open = await idsOf({ dealState: 2 })
    room.changes.splice(0)
    const result = await room.asAdmin(dealRecords, {
      ids: [...open, done, 999_999, 99_999_999_999, done],
      result: '批量',
    })
    expect(result).toEqual({
      done: 4,
      failed: [
        { id: done, msg: '该告警目前不处于告警中,不能处理告警' },
        { id: 999_999, msg: '告警记录不存在' },
        { id: 99_999_999_999, msg: '告警记录不存在' },
      ],
    })
    expect(room.changes).toHaveLength(1)
    expect(room.changes[0]?.recordIDs.toSorted((a, b) => a - b)).toEqual(open.toSorted((a, b) => a - b))
    expect(await count()).toMatchObject({ open: 0 })
    expect((await room.asAdmin(listDealRecords, { page: { size: 2 } })).total).toBe(5)
    expect(await room.call(dealRecords, { ids: [], result: 'x' })).toMatchObject({ code: 100006 })
    expect(await room.call(dealRecords, { ids: [1] })).toMatchObject({ code: 100006 })
  })

  test('ignoring handles with the words 忽略', async () => {
    const alarmID = await makeAlarm(room, [scene])
    await raise(scene, 'a')
    const { id } = await onlyRecord(room, alarmID)
    expect(await room.asAdmin(ignoreRecords, { ids: [id] })).toEqual({ done: 1, failed: [] })
    expect(await onlyRecord(room, alarmID)).toMatchObject({ dealState: 3, dealResult: '忽略' })
    const { list: deals } = await room.asAdmin(listDealRecords, { alarmRecordID: id })
    expect(deals).toMatchObject([{ result: '忽略', type: 1, userName: 'administrator' }])
    expect(await room.asAdmin(ignoreRecords, { ids: [id] })).toMatchObject({ done: 0, failed: [{ id }] })
  })

  test('a claim belongs to who was first; he or an administrator gives it back', async () => {
    const alarmID = await makeAlarm(room, [scene])
    await raise(scene, 'a')
    const { id } = await onlyRecord(room, alarmID)
    const role = await makeRole(room.world, [claimRecords, listAlarmRecords])
    const [ann, bob] = [await makeSignedIn(room.world, { role }), await makeSignedIn(room.world, { role })]
    const claim = async (token: string, body: object) =>
      (await room.call(claimRecords, { ids: [id], ...body }, token)).data
    expect(await claim(ann.token, {})).toEqual({ done: 1, failed: [] })
    const claimed = await onlyRecord(room, alarmID)
    expect(claimed).toMatchObject({ claimUserID: String(ann.userID), claimUserName: ann.userName, dealState: 2 })
    room.world.clock.advance(minute)
    expect(await claim(ann.token, {})).toEqual({ done: 1, failed: [] })
    expect((await onlyRecord(room, alarmID)).claimTime).toBe(claimed.claimTime)
    expect(await claim(bob.token, {})).toEqual({ done: 0, failed: [{ id, msg: `已由 ${ann.userName} 认领` }] })
    expect((await claim(bob.token, { release: true })).failed[0]?.msg).toContain('只能由本人取消')
    const mine = await room.call(listAlarmRecords, { mine: true }, ann.token)
    expect(mine.data.list).toMatchObject([{ id }])
    expect(await claim(ann.token, { release: true })).toEqual({ done: 1, failed: [] })
    expect(await claim(ann.token, { release: true })).toMatchObject({ failed: [{ msg: '该告警没有人认领' }] })
    await claim(bob.token, {})
    expect(await claim(room.world.admin, { release: true })).toEqual({ done: 1, failed: [] })
    expect(await onlyRecord(room, alarmID)).toMatchObject({ claimUserID: '0', claimUserName: '', claimTime: 0 })
    await room.asAdmin(ignoreRecords, { ids: [id] })
    expect((await claim(bob.token, {})).failed[0]?.msg).toBe('该告警目前不处于告警中,不能认领')
  })
})

describe('logs', () => {
  test('newest first, by time range, in pages; the histogram counts them', async () => {
    const alarmID = await makeAlarm(room, [scene])
    await raise(scene, 'other')
    const start = room.world.clock.now() + 1
    for (let i = 0; i < 5; i++) {
      room.world.clock.advance(minute)
      await raise(scene, 'a')
    }
    const [alarmRecordID = 0] = await idsOf({ alarmID, deviceName: 'a' })
    const { list: logs, total } = await room.asAdmin(listAlarmLogs, { alarmRecordID, page: { size: 2 } })
    expect(total).toBe(5)
    const newest = logs[0]?.createdTime ?? 0
    expect(newest).toBeGreaterThan(logs[1]?.createdTime ?? 0)
    const ranged = await room.asAdmin(listAlarmLogs, { alarmRecordID, timeRange: { start: newest - 1.8 * minute } })
    expect(ranged.total).toBe(2)
    const oldestFirst = { orders: [{ field: 'createdTime', sort: 1 }] }
    expect((await room.asAdmin(listAlarmLogs, { alarmRecordID, page: oldestFirst })).list[4]?.createdTime).toBe(newest)

    const timeRange = { start, end: start + 10 * minute }
    const graph = await room.asAdmin(countAlarmLogs, { alarmRecordID, timeRange, buckets: 10 })
    expect(graph.interval).toBe(minute)
    expect(graph.list.map((bucket) => bucket.count)).toEqual([0, 1, 1, 1, 1, 1, 0, 0, 0, 0])
    expect(graph.list[0]?.timestamp).toBe(start)
    const all = await room.asAdmin(countAlarmLogs, {})
    expect(all.list).toHaveLength(60)
    expect(all.list.reduce((sum, bucket) => sum + bucket.count, 0)).toBe(6)
    const backwards = await room.call(countAlarmLogs, { timeRange: { start: 200, end: 100 } })
    expect(backwards).toMatchObject({ code: 100006 })
    expect(await room.call(listAlarmLogs, {})).toMatchObject({ code: 100006 })
  })
})

describe('retention', () => {
  const day = 86_400_000
  const entries = async (alarmRecordID: number) =>
    (await room.asAdmin(listAlarmLogs, { alarmRecordID, page: { size: 1 } })).total

  test('what is older than 365 days goes, open records stay', async () => {
    const { done } = await fill()
    const [open = 0] = await idsOf({ deviceName: 'a-old' })
    const { db, clock } = room.world
    await db
      .updateTable('alarm_log')
      .set({ created_at: clock.now() - 366 * day })
      .execute()
    await raise(scene, 'b-mild')
    expect(await dropOldAlarms(db, clock)).toEqual({ alarmLogs: 5, alarmDeals: 0, alarmRecords: 0 })
    await db
      .updateTable('alarm_deal')
      .set({ created_at: clock.now() - 366 * day })
      .execute()
    const long = clock.now() - 366 * day
    await db.updateTable('alarm_record').set({ last_alarm: long, first_alarm: long, dealt_at: long }).execute()
    expect(await dropOldAlarms(db, clock)).toEqual({ alarmLogs: 0, alarmDeals: 1, alarmRecords: 1 })
    expect(await idsOf()).not.toContain(done)
    expect(await idsOf()).toContain(open)
  })

  test('of one record the newest 10,000 occurrences stay', async () => {
    const alarmID = await makeAlarm(room, [scene])
    await raise(scene, 'a')
    const { id } = await onlyRecord(room, alarmID)
    await seedLogs(id, 10_010)
    await room.world.db.updateTable('alarm_record').set({ total_count: 10_011 }).where('id', '=', id).execute()
    expect(await entries(id)).toBe(10_011)
    const newest = (await room.asAdmin(listAlarmLogs, { alarmRecordID: id, page: { size: 1 } })).list[0]?.id
    expect(await dropOldAlarms(room.world.db, room.world.clock)).toMatchObject({ alarmLogs: 11 })
    expect(await entries(id)).toBe(10_000)
    const kept = await room.asAdmin(listAlarmLogs, { alarmRecordID: id, page: { size: 1 } })
    expect(kept.list[0]?.id).toBe(newest)
  })

  async function seedLogs(recordID: number, rows: number): Promise<void> {
    const now = room.world.clock.now()
    const batch = Array.from({ length: rows }, (_, i) => ({
      alarm_record_id: recordID,
      scene_id: scene,
      scene_name: '',
      level: 1,
      product_id: '',
      device_name: '',
      run_id: 1_000_000 + i,
      created_at: now - i,
    }))
    for (let at = 0; at < rows; at += 5_000) {
      await room.world.db
        .insertInto('alarm_log')
        .values(batch.slice(at, at + 5_000))
        .execute()
    }
  }
})

test('an alarm that was disabled keeps its open records, and they can be handled', async () => {
  const alarmID = await makeAlarm(room, [scene])
  await raise(scene, 'a')
  await room.asAdmin(updateAlarm, { id: alarmID, status: 2 })
  const { id } = await onlyRecord(room, alarmID)
  expect(await room.asAdmin(dealRecords, { ids: [id], result: 'x' })).toEqual({ done: 1, failed: [] })
})
