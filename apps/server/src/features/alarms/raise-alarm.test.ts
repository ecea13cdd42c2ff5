import { updateAlarm } from '@ithings/contract/features/alarms/config.ts'
import {
  alarmCause,
  claimRecords,
  createDealRecord,
  listAlarmLogs,
  listDealRecords,
} from '@ithings/contract/features/alarms/record.ts'
import type { NotifyVariable } from '@ithings/contract/features/notify.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { said } from '#testing/said.ts'
import type { AlarmsDeps } from './alarms-deps.ts'
import { clearAlarms } from './clear-alarm.ts'
import { raiseAlarms } from './raise-alarm.ts'
import {
  type AlarmRoom,
  makeAlarm,
  makeChannel,
  makeScene,
  onlyRecord,
  openAlarms,
  pump,
  runOf,
} from './testing/alarm-room.ts'

let room: AlarmRoom
beforeAll(async () => {
  room = await openAlarms()
})
afterAll(() => room.close())
beforeEach(() => void room.changes.splice(0))

const minute = 60_000
const logsOf = (alarmRecordID: number) => room.asAdmin(listAlarmLogs, { alarmRecordID, page: { size: 10_000 } })
const handle = (alarmRecordID: number) => room.asAdmin(createDealRecord, { alarmRecordID, result: '已修' })
/** What the outbox holds about this alarm, oldest first. */
const told = async (alarmID: number) => {
  const rows = await room.world.db
    .selectFrom('notify_delivery')
    .innerJoin('alarm', 'alarm.name', 'notify_delivery.source_name')
    .select(['title', 'content', 'payload', 'source', 'product_id', 'device_name'])
    .where('alarm.id', '=', alarmID)
    .orderBy('notify_delivery.id')
    .execute()
  return rows
}
const events = async (alarmID: number) => (await told(alarmID)).map((row) => row.payload.event)

describe('raise', () => {
  test('the first trigger opens a record with every field of the contract', async () => {
    const productID = await makeProduct(room.world, { productName: '水泵' })
    const device = await makeDevice(room.world, productID, { deviceName: 'p-1', deviceAlias: '一号泵' })
    const scene = await makeScene(room)
    const alarmID = await makeAlarm(room, [scene], { name: '过热', level: 4, notify: { slaMinutes: 5 } })
    const before = room.world.clock.now()
    const done = await room.door.raise(runOf(scene, { device: { ...device, deviceID: 1 } }))
    expect(said(done)).toEqual({ alarms: ['过热'], text: '触发告警：过热' })
    const record = await onlyRecord(room, alarmID)
    expect(record).toEqual({
      id: expect.any(Number),
      alarmID,
      triggerType: 1,
      productID,
      deviceName: 'p-1',
      sceneName: `场景 ${scene}`,
      sceneID: scene,
      level: 4,
      lastAlarm: expect.any(Number),
      dealState: 2,
      createdTime: record.lastAlarm,
      count: 1,
      firstAlarm: record.lastAlarm,
      claimUserID: '0',
      claimUserName: '',
      claimTime: 0,
      totalCount: 1,
      alarmName: '过热',
      productName: '水泵',
      deviceAlias: '一号泵',
      deviceType: 1,
      dealTime: 0,
      dealUserName: '',
      dealResult: '',
      dueTime: record.lastAlarm + 5 * minute,
      openedCount: 1,
      cause: '温度 > 80 ℃（实际 85 ℃）',
    })
    expect(record.lastAlarm).toBeGreaterThanOrEqual(before)
    expect(room.changes).toEqual([{ recordIDs: [record.id], opened: true }])
  })

  test('each occurrence is a log entry whose serial tells the cause', async () => {
    const scene = await makeScene(room)
    const alarmID = await makeAlarm(room, [scene])
    const run = runOf(scene)
    await room.door.raise(run)
    const { id, lastAlarm } = await onlyRecord(room, alarmID)
    const { list, total, num } = await logsOf(id)
    expect([total, num]).toEqual([1, 1])
    expect(list[0]).toEqual({
      id: expect.any(Number),
      alarmRecordID: id,
      desc: '温度 > 80 ℃（实际 85 ℃）',
      serial: expect.any(String),
      sceneName: run.sceneName,
      sceneID: scene,
      createdTime: lastAlarm,
      level: 3,
      productID: pump.productID,
      deviceName: pump.deviceName,
    })
    expect(alarmCause.parse(JSON.parse(list[0]?.serial ?? ''))).toEqual({
      trigger: '温度 > 80 ℃',
      dataID: 'temperature',
      value: '85 ℃',
      threshold: ['80'],
      conditions: [{ text: '压力 > 1', value: '2', ok: true, level: 0 }],
      tranceID: 'trace-1',
      runID: String(run.runID),
    })
  })

  test('a long trigger leaves room for what was seen', async () => {
    const scene = await makeScene(room)
    const alarmID = await makeAlarm(room, [scene])
    await room.door.raise(runOf(scene, { triggerText: '长'.repeat(600) }))
    expect((await onlyRecord(room, alarmID)).cause).toBe(`${'长'.repeat(400)}（实际 85 ℃）`)
  })

  test('a scene without a device raises a record of its own, whoever else has one', async () => {
    const scene = await makeScene(room)
    const alarmID = await makeAlarm(room, [scene])
    await room.door.raise(runOf(scene, { device: undefined, seen: {}, conditions: [], traceID: '' }))
    expect(await onlyRecord(room, alarmID)).toMatchObject({
      triggerType: 2,
      productID: '',
      deviceName: '',
      dealState: 2,
    })
  })

  test('every enabled alarm of the scene is raised, disabled ones and those of others are silent', async () => {
    const scene = await makeScene(room)
    const ids = [await makeAlarm(room, [scene]), await makeAlarm(room, [scene])]
    const disabled = await makeAlarm(room, [scene], { state: 2, notify: { channelIDs: [await makeChannel(room)] } })
    const foreign = await makeAlarm(room, [await makeScene(room)])
    const { alarms } = await room.door.raise(runOf(scene))
    expect(alarms).toHaveLength(2)
    for (const id of ids) expect(await onlyRecord(room, id)).toMatchObject({ count: 1 })
    for (const id of [disabled, foreign]) await expect(onlyRecord(room, id)).rejects.toThrow('0 records')
    expect(await told(disabled)).toEqual([])
    const none = await room.door.raise(runOf(await makeScene(room)))
    expect(said(none)).toEqual({ alarms: [], text: '没有关联启用的告警' })
  })

  test('decisions.md 2: the next trigger counts on, after handling it opens the same record again', async () => {
    const scene = await makeScene(room)
    const alarmID = await makeAlarm(room, [scene], { level: 2, notify: { slaMinutes: 1 } })
    await room.door.raise(runOf(scene))
    const first = await onlyRecord(room, alarmID)
    await room.asAdmin(claimRecords, { ids: [first.id] })
    room.world.clock.advance(1_000)
    await room.door.raise(runOf(scene, { seen: { value: '90 ℃' } }))
    const second = await onlyRecord(room, alarmID)
    expect(second).toMatchObject({
      count: 2,
      totalCount: 2,
      firstAlarm: first.firstAlarm,
      cause: '温度 > 80 ℃（实际 90 ℃）',
    })
    expect(second).toMatchObject({ dueTime: first.dueTime, claimUserName: 'administrator' })
    expect(second.lastAlarm).toBeGreaterThanOrEqual(first.lastAlarm + 1_000)
    await handle(first.id)
    expect(await onlyRecord(room, alarmID)).toMatchObject({ dealState: 3, dealUserName: 'administrator' })
    await room.asAdmin(updateAlarm, { id: alarmID, level: 5 })
    room.world.clock.advance(1_000)
    await room.door.raise(runOf(scene))
    const again = await onlyRecord(room, alarmID)
    expect(again).toMatchObject({ id: first.id, dealState: 2, count: 3, totalCount: 3, level: 5, claimUserID: '0' })
    expect(again.openedCount).toBe(1)
    expect(again).toMatchObject({ createdTime: first.createdTime, firstAlarm: again.lastAlarm, dealUserName: '' })
    expect(again.dueTime).toBe(again.firstAlarm + minute)
    expect(room.changes.map((change) => change.opened)).toEqual([true, false, false, false, true])
  })

  test('the same run raises once, also when two servers try at the same time', async () => {
    const other = await openAlarms(room.world)
    const scene = await makeScene(room)
    const alarmID = await makeAlarm(room, [scene], { notify: { channelIDs: [await makeChannel(room)] } })
    for (let round = 0; round < 5; round++) {
      const run = runOf(scene)
      const tries = [room, other, room, other].map(({ door }) => door.raise(run))
      for (const result of await Promise.all(tries)) expect(result.alarms).toHaveLength(1)
    }
    await other.close()
    const record = await onlyRecord(room, alarmID)
    expect(record).toMatchObject({ count: 5, totalCount: 5 })
    expect((await logsOf(record.id)).total).toBe(5)
    expect(await events(alarmID)).toEqual(['alarm.opened'])
  })

  test('1,000 concurrent triggers on two servers make one record with 1,000 occurrences and one notice', async () => {
    const other = await openAlarms(room.world)
    const scenes = [await makeScene(room), await makeScene(room)]
    const notify = { channelIDs: [await makeChannel(room)] }
    const alarms = [await makeAlarm(room, scenes, { notify }), await makeAlarm(room, scenes.toReversed())]
    const doors = [room.door, other.door]
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => doors[i % 2]?.raise(runOf(scenes[(i >> 1) % 2] ?? 0))))
    await other.close()
    for (const alarmID of alarms) {
      const record = await onlyRecord(room, alarmID)
      expect(record).toMatchObject({ count: 1_000, totalCount: 1_000, dealState: 2 })
      expect((await logsOf(record.id)).total).toBe(1_000)
    }
    expect(await events(alarms[0] ?? 0)).toEqual(['alarm.opened'])
  })

  test('the database alone keeps them apart: 36 connections raise the same record at once', async () => {
    const other = await openAlarms(room.world)
    const scene = await makeScene(room)
    const alarmID = await makeAlarm(room, [scene], { notify: { channelIDs: [await makeChannel(room)] } })
    const raiseSome = async (deps: AlarmsDeps) => {
      for (let i = 0; i < 10; i++) await raiseAlarms(deps, runOf(scene))
    }
    await Promise.all(Array.from({ length: 36 }, (_, i) => raiseSome(i % 2 === 0 ? room.deps : other.deps)))
    await other.close()
    const record = await onlyRecord(room, alarmID)
    expect(record).toMatchObject({ count: 360, totalCount: 360 })
    expect((await logsOf(record.id)).total).toBe(360)
    expect(await events(alarmID)).toEqual(['alarm.opened'])
  })

  test('triggers, clearings and handlings at the same time wait for each other without a ring', async () => {
    const raising = await makeScene(room)
    const relieving = await makeScene(room, 'relieve')
    const alarms = []
    for (let i = 0; i < 4; i++) alarms.push(await makeAlarm(room, [raising, relieving]))
    await room.door.raise(runOf(raising))
    const ids = (await Promise.all(alarms.map((id) => onlyRecord(room, id)))).map((record) => record.id)
    const inRing = async (lane: number) => {
      for (let i = 0; i < 10; i++) {
        if (lane % 3 === 0) await clearAlarms(room.deps, runOf(relieving))
        else if (lane % 3 === 1) await room.asAdmin(claimRecords, { ids: ids.toReversed() })
        else await raiseAlarms(room.deps, runOf(raising))
      }
    }
    await Promise.all(Array.from({ length: 12 }, (_, lane) => inRing(lane)))
    for (const id of alarms) expect(await onlyRecord(room, id)).toMatchObject({ totalCount: 41 })
  })
})

describe('notices', () => {
  test('on opening: a text to read on a phone, and fields for a webhook', async () => {
    const productID = await makeProduct(room.world, { productName: '循环泵' })
    const device = await makeDevice(room.world, productID, { deviceName: 'p-9', deviceAlias: '九号泵' })
    const scene = await makeScene(room)
    const channels = [await makeChannel(room), await makeChannel(room)]
    const alarmID = await makeAlarm(room, [scene], { name: '泵过热', level: 5, notify: { channelIDs: channels } })
    const before = room.rings()
    await room.door.raise(runOf(scene, { device: { ...device, deviceID: 1 } }))
    const sent = await told(alarmID)
    expect(sent).toHaveLength(2)
    expect(sent[0]).toMatchObject({ title: '【超紧急】泵过热 · 九号泵', source: 'alarm', product_id: productID })
    expect(sent[0]?.content).toMatch(
      /^触发：温度 > 80 ℃（实际 85 ℃）\n设备：九号泵（p-9）\n产品：循环泵\n场景：场景 \d+\n时间：\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
    )
    expect(sent[0]?.payload).toMatchObject({ event: 'alarm.opened', alarmID, level: 5, productID })
    expect(room.rings()).toBe(before + 1)
    await room.door.raise(runOf(scene, { device: { ...device, deviceID: 1 } }))
    expect(await told(alarmID)).toHaveLength(2)
  })

  test('words of the alarm take their variables', async () => {
    const v = (name: NotifyVariable) => `\${${name}}`
    const scene = await makeScene(room)
    const alarmID = await makeAlarm(room, [scene], {
      level: 1,
      notify: {
        channelIDs: [await makeChannel(room)],
        title: [v('level'), v('deviceName'), v('count')].join(' '),
        content: `${v('trigger')} ${v('deviceAlias')}|`,
      },
    })
    await room.door.raise(runOf(scene))
    expect(await told(alarmID)).toMatchObject([{ title: '提醒 pump-1 1', content: '温度 > 80 ℃（实际 85 ℃） |' }])
  })

  test('a channel that is off is named where the run tells what it did', async () => {
    const scene = await makeScene(room)
    const channel = await makeChannel(room)
    await makeAlarm(room, [scene], { name: '无人听', notify: { channelIDs: [channel] } })
    await room.world.db
      .updateTable('notify_channel')
      .set({ status: 2, name: '旧群' })
      .where('id', '=', channel)
      .execute()
    expect(said(await room.door.raise(runOf(scene))).text).toBe('触发告警：无人听；通知渠道「旧群」已禁用')
  })

  test('again every renotifyMinutes while it goes on being raised', async () => {
    const scene = await makeScene(room)
    const alarmID = await makeAlarm(room, [scene], {
      notify: { channelIDs: [await makeChannel(room)], renotifyMinutes: 2 },
    })
    for (const wait of [0, minute, minute, 1_000, minute, minute]) {
      room.world.clock.advance(wait)
      await room.door.raise(runOf(scene))
    }
    expect(await events(alarmID)).toEqual(['alarm.opened', 'alarm.repeated', 'alarm.repeated'])
    const [, repeated] = await told(alarmID)
    expect(repeated?.title).toMatch(/（仍在告警）$/)
    expect(repeated?.content).toContain('持续：2 分钟，共 3 次')
  })

  test('re-opened within flapSeconds after clearing nobody is told, neither of that nor of its clearing', async () => {
    const raising = await makeScene(room)
    const relieving = await makeScene(room, 'relieve')
    const alarmID = await makeAlarm(room, [raising, relieving], {
      notify: { channelIDs: [await makeChannel(room)], flapSeconds: 30, notifyCleared: true },
    })
    await room.door.raise(runOf(raising))
    for (let i = 0; i < 3; i++) {
      await room.door.clear(runOf(relieving))
      room.world.clock.advance(5_000)
      await room.door.raise(runOf(raising))
    }
    expect(await events(alarmID)).toEqual(['alarm.opened', 'alarm.cleared'])
    expect(await onlyRecord(room, alarmID)).toMatchObject({ dealState: 2, totalCount: 4 })
    await room.door.clear(runOf(relieving))
    room.world.clock.advance(30_000)
    await room.door.raise(runOf(raising))
    expect(await events(alarmID)).toEqual(['alarm.opened', 'alarm.cleared', 'alarm.opened'])
  })

  test('a re-opened alarm that stays is told once the flapping time is over', async () => {
    const scene = await makeScene(room)
    const alarmID = await makeAlarm(room, [scene], {
      notify: { channelIDs: [await makeChannel(room)], flapSeconds: 30 },
    })
    await room.door.raise(runOf(scene))
    await handle((await onlyRecord(room, alarmID)).id)
    for (const wait of [1_000, 5_000, 30_000, 1_000]) {
      room.world.clock.advance(wait)
      await room.door.raise(runOf(scene))
    }
    expect(await events(alarmID)).toEqual(['alarm.opened', 'alarm.repeated'])
  })

  test('a notice that cannot be stored takes its record with it: the next try makes both', async () => {
    const scene = await makeScene(room)
    const alarmID = await makeAlarm(room, [scene], { notify: { channelIDs: [await makeChannel(room)] } })
    const run = runOf(scene)
    await room.world.db.schema.alterTable('notify_delivery').renameTo('notify_away').execute()
    await expect(room.door.raise(run)).rejects.toThrow('notify_delivery')
    await room.world.db.schema.alterTable('notify_away').renameTo('notify_delivery').execute()
    await expect(onlyRecord(room, alarmID)).rejects.toThrow('0 records')
    await room.door.raise(run)
    expect(await onlyRecord(room, alarmID)).toMatchObject({ count: 1 })
    expect(await events(alarmID)).toEqual(['alarm.opened'])
  })
})

describe('clear', () => {
  const otherDevice = { productID: 'P1', deviceName: 'pump-2', deviceID: 2 }

  test('rules.md 5: open records of the device are handled by the system, those of others stay', async () => {
    const raising = await makeScene(room)
    const relieving = await makeScene(room, 'relieve')
    const alarmID = await makeAlarm(room, [raising, relieving])
    await room.door.raise(runOf(raising))
    const { id, lastAlarm } = await onlyRecord(room, alarmID)
    await room.door.raise(runOf(raising, { device: otherDevice }))
    room.world.clock.advance(2_000)
    room.changes.splice(0)
    expect(said(await room.door.clear(runOf(relieving)))).toEqual({ records: 1, text: '解除告警 1 条' })
    expect(room.changes).toEqual([{ recordIDs: [id], opened: false }])
    const rows = await room.world.db.selectFrom('alarm_record').selectAll().where('alarm_id', '=', alarmID).execute()
    expect(rows.map((row) => [row.device_name, row.deal_state]).toSorted()).toEqual([
      ['pump-1', 3],
      ['pump-2', 2],
    ])
    const { list } = await room.asAdmin(listDealRecords, { alarmRecordID: id })
    expect(list).toEqual([
      {
        id: expect.any(Number),
        alarmRecordID: id,
        result: '场景触发解除告警',
        type: 2,
        alarmTime: lastAlarm,
        createdTime: expect.any(Number),
        userName: '',
      },
    ])
    expect(said(await room.door.clear(runOf(relieving)))).toEqual({ records: 0, text: '没有需要解除的告警' })
  })

  test('a timer clears the records of all devices, in steps, and tells of many in one notice', async () => {
    const scene = await makeScene(room)
    const notify = { channelIDs: [await makeChannel(room)], notifyCleared: true }
    const alarmID = await makeAlarm(room, [scene], { notify })
    for (let i = 0; i < 7; i++) {
      await room.door.raise(runOf(scene, { device: { productID: 'P1', deviceName: `d${i}`, deviceID: i } }))
    }
    expect(await room.door.clear(runOf(scene, { device: undefined }))).toMatchObject({ records: 7 })
    const sent = await told(alarmID)
    expect(sent).toHaveLength(8)
    expect(sent[7]?.title).toMatch(/^【已解除】.* · 7 条$/)
    expect(sent[7]?.content).toContain('设备：d0、d1、d2')
  })

  test('a disabled alarm is cleared without a word', async () => {
    const scene = await makeScene(room)
    const notify = { channelIDs: [await makeChannel(room)], notifyCleared: true }
    const alarmID = await makeAlarm(room, [scene], { notify })
    await room.door.raise(runOf(scene))
    await room.asAdmin(updateAlarm, { id: alarmID, state: 2 })
    expect(await room.door.clear(runOf(scene))).toMatchObject({ records: 1 })
    expect(await events(alarmID)).toEqual(['alarm.opened'])
  })
})
