/** One scene, its alarm and its notices, read by a Chinese and by an English reader of the same rows. */
import { hourMs } from '@ithings/contract/durations.ts'
import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { createAlarm, linkScenes } from '@ithings/contract/features/alarms/config.ts'
import {
  createDealRecord,
  ignoreRecords,
  listAlarmLogs,
  listAlarmRecords,
  listDealRecords,
} from '@ithings/contract/features/alarms/record.ts'
import { createChannel, listDeliveries, testChannel } from '@ithings/contract/features/notify.ts'
import { createScene, listScenes, readScene } from '@ithings/contract/features/scenes/info.ts'
import { listSceneLogs } from '@ithings/contract/features/scenes/log.ts'
import { dryRunScene, startBacktest } from '@ithings/contract/features/scenes/trial.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDevice, type MqttDevice } from '#features/commands/testing/mqtt-device.ts'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { openReceiver, type Receiver } from '#features/notify/testing/receiver.ts'
import { eventually } from '#testing/eventually.ts'
import { openWorld, type World } from '#testing/world.ts'

const json = JSON.stringify
const chinese = /\p{Script=Han}|[，。：；！？（）「」、【】]/u

let world: World
let receiver: Receiver
let device: MqttDevice
let key: { productID: string; deviceName: string }
let sceneID: number
let alarmID: number

const model = {
  properties: [
    { identifier: 'temp', name: 'temperature', mode: 'r', define: { type: 'float', min: '0', max: '200', unit: '℃' } },
    { identifier: 'level', name: 'level', mode: 'r', define: { type: 'int', min: '0', max: '100' } },
    { identifier: 'power', name: 'power', mode: 'rw', define: { type: 'bool', mapping: { 0: 'off', 1: 'on' } } },
  ],
}
const hot = () => ({
  productID: key.productID,
  selector: 'all',
  operator: 'reportProperty',
  operationSchema: { dataID: ['temp'], termType: 'gt', values: ['80'] },
})
const full = () => ({
  columnType: 'property',
  columnSchema: { productID: key.productID, deviceName: '', dataID: ['level'], termType: 'gt', values: '50' },
})
const atAnyTime = { columnType: 'sysTime', columnTime: { type: 'range', start: '00:00', end: '00:00' } }
const actions = (channelIDs: number[]) => [
  {
    executor: 'device',
    device: { productID: key.productID, selector: 'trigger', type: 'propertyControl', value: json({ power: 0 }) },
  },
  { executor: 'alarm', alarm: { mode: 'trigger' } },
  { executor: 'notify', notify: { channelIDs } },
]

/** The answer in English, with nothing Chinese in it, and in Chinese. */
async function both<E extends Endpoint>(endpoint: E, body: BodyInput<E>): Promise<{ en: DataOf<E>; zh: DataOf<E> }> {
  const headers = { 'accept-language': 'en' }
  const english = await world.call(endpoint, body, { token: world.admin, headers })
  expect(english.code, english.msg).toBe(200)
  return { en: english.data, zh: await world.asAdmin(endpoint, body) }
}

const channel = async (name: string, language: 'zh' | 'en' | '') =>
  (
    await world.asAdmin(createChannel, {
      name,
      type: 'webhook',
      language,
      settings: { url: `${receiver.url}/${name}` },
    })
  ).id
const noticesOf = (name: string) =>
  receiver.received.filter(({ path }) => path === `/${name}`).map(({ body }) => JSON.parse(body))
const report = (params: object) => device.say('thing/property', { method: 'report', clientToken: json(params), params })

beforeAll(async () => {
  receiver = await openReceiver()
  world = await openWorld({ config: { webhookAllow: ['127.0.0.0/8'] } })
  const productID = await makeProduct(world, { productName: 'Pump' })
  await world.asAdmin(importTsl, { productID, tsl: json(model) })
  key = await makeDevice(world, productID, { deviceName: 'pump-1', deviceAlias: 'Pump 1' })
  device = await connectDevice(world, key)
  const channels = [await channel('on-duty', 'en'), await channel('zhiban', '')]
  const { id } = await world.asAdmin(createScene, {
    name: 'Too hot',
    triggerType: 'device',
    trigger: json({ device: [hot()] }),
    when: json([full(), atAnyTime]),
    then: json(actions(channels)),
  })
  sceneID = id
  const alarm = await world.asAdmin(createAlarm, { name: 'Overheated', level: 4, notify: { channelIDs: channels } })
  alarmID = alarm.id
  await world.asAdmin(linkScenes, { alarmID, sceneIDs: [sceneID] })
  await report({ temp: 85, level: 10 })
  await eventually(async () => expect((await world.asAdmin(listSceneLogs, { sceneID })).list).toHaveLength(1))
  await report({ temp: 90, level: 60 })
  await eventually(async () => {
    const { list } = await world.asAdmin(listSceneLogs, { sceneID, fired: 1 })
    expect(list[0]?.endTime).toBeGreaterThan(0)
  })
})
afterAll(async () => {
  await device.leave()
  await world.close()
  await receiver.close()
})

test('the log of the scene: what it did, and why it did not', async () => {
  const { en, zh } = await both(listSceneLogs, { sceneID })
  const [run, miss] = zh.list
  expect(miss).toMatchObject({
    reason: '条件不满足：level > 50（实际 10）',
    triggerText: 'temperature > 80 ℃（实际 85 ℃）',
    conditions: [{ text: 'level > 50' }, { text: expect.stringMatching(/^且 /), value: expect.stringMatching(/^周./) }],
  })
  expect(run?.actions.map(({ text }) => text)).toEqual([
    '设置 power = off',
    '触发告警「Overheated」',
    '通知 on-duty、zhiban',
  ])
  expect(run?.actions.at(-1)?.msg).toBe('已提交 2 条通知')
  expect(en.list[1]).toMatchObject({
    reason: 'Condition not met: level > 50 (actual 10)',
    triggerText: 'temperature > 80 ℃ (actual 85 ℃)',
    conditions: [
      { text: 'level > 50' },
      { text: 'and 00:00–00:00', value: expect.stringMatching(/^[A-Z][a-z]{2} \d/) },
    ],
  })
  expect(en.list[0]?.actions.map(({ text }) => text)).toEqual([
    'Set power to off',
    'Raise alarm “Overheated”',
    'Notify on-duty, zhiban',
  ])
  expect(en.list[0]?.actions.at(-1)?.msg).toBe('2 notifications queued')
  expect(json(en)).not.toMatch(chinese)
})

test('the scene itself: its sentences, its problems and what it did last', async () => {
  const { en, zh } = await both(readScene, { id: sceneID })
  const said = (parts: ReadonlyArray<{ text: string }>) => parts.map(({ text }) => text).join('')
  expect(said(zh.triggerText)).toBe('任一Pump temperature > 80 ℃')
  expect(said(en.triggerText)).toBe('the temperature of any Pump is above 80 ℃')
  expect(json(en)).not.toMatch(chinese)
  expect(json((await both(listScenes, { sceneIDs: [sceneID] })).en)).not.toMatch(chinese)
})

test('a dry run', async () => {
  const { productID, deviceName } = key
  const trigger = [
    { ...hot(), operationSchema: { ...hot().operationSchema, stateKeep: { type: 'duration', value: 30 } } },
  ]
  const gone = [{ ...full(), columnSchema: { ...full().columnSchema, dataID: ['gone'] } }]
  const scene = {
    triggerType: 'device' as const,
    trigger: json(trigger),
    then: json(actions([]).slice(0, 2)),
    when: json([full()]),
  }
  const ask = (temp: number, when = scene.when) =>
    both(dryRunScene, { scene: { ...scene, when }, message: { productID, deviceName, params: { temp } } })
  const fits = await ask(90)
  expect(fits.zh.triggers.map(({ text }) => text)).toEqual([
    'temperature > 80 ℃ 持续 30 秒',
    '须持续 30 秒（试运行按已持续计）',
  ])
  expect(fits.en.triggers.map(({ text }) => text)).toEqual([
    'temperature > 80 ℃ for 30 seconds',
    'Must last 30 seconds (the dry run assumes that it did)',
  ])
  const cold = await ask(20)
  expect(cold.zh.reason).toBe('触发不满足：temperature > 80 ℃ 持续 30 秒（样例为 20 ℃）')
  expect(cold.en.reason).toBe('Trigger not met: temperature > 80 ℃ for 30 seconds (the sample has 20 ℃)')
  const broken = await ask(90, json(gone))
  expect(broken.en.reason).toBe('Condition not met: Product “Pump” has no property gone')
  for (const { en } of [fits, cold, broken]) expect(json(en)).not.toMatch(chinese)
})

test('what the editor got wrong is refused in the language of the caller', async () => {
  const scene = { triggerType: 'manual' as const, then: json(actions([])) }
  const refusal = async (headers: Record<string, string>) =>
    (await world.call(dryRunScene, { scene }, { token: world.admin, headers })).msg
  expect(await refusal({})).toBe('参数错误:动作：2.notify 请选择通知渠道')
  expect(await refusal({ 'accept-language': 'en' })).not.toMatch(chinese)
})

test('a backtest', async () => {
  const scene = {
    triggerType: 'device' as const,
    trigger: json([hot(), { productID: key.productID, operator: 'disConnected' }]),
    when: json([full()]),
    then: '[]',
  }
  const now = world.clock.now()
  const body = { scene, timeStart: now - hourMs, timeEnd: now + hourMs }
  // On a busy machine even a short one may take longer than the answer waits.
  const { en, zh } = await eventually(async () => {
    const answers = await both(startBacktest, body)
    expect([answers.en.total, answers.zh.total]).toEqual([1, 1])
    return answers
  })
  expect(zh).toMatchObject({
    missedAt: [{ reason: '条件不满足：level > 50（实际 10）' }],
    notes: ['上下线按通信日志回放'],
  })
  expect(en).toMatchObject({
    missedAt: [{ reason: 'Condition not met: level > 50 (actual 10)' }],
    notes: ['Going online and offline is replayed from the communication log'],
  })
  expect(json(en)).not.toMatch(chinese)
})

test('the record of the alarm, its occurrences and what was done about it', async () => {
  const records = await both(listAlarmRecords, { alarmID })
  const id = records.zh.list[0]?.id ?? 0
  expect(records.zh.list[0]?.cause).toBe('temperature > 80 ℃（实际 90 ℃）')
  expect(records.en.list[0]?.cause).toBe('temperature > 80 ℃ (actual 90 ℃)')
  const logs = await both(listAlarmLogs, { alarmRecordID: id })
  expect(JSON.parse(logs.zh.list[0]?.serial ?? '').conditions[1].text).toBe('且 00:00–00:00')
  expect(JSON.parse(logs.en.list[0]?.serial ?? '').conditions[1].text).toBe('and 00:00–00:00')
  await world.asAdmin(ignoreRecords, { ids: [id] })
  const deals = await both(listDealRecords, { alarmRecordID: id })
  expect([deals.zh.list[0]?.result, deals.en.list[0]?.result]).toEqual(['忽略', 'Dismissed'])
  const again = await both(ignoreRecords, { ids: [id] })
  expect(again.zh.failed[0]?.msg).toBe('该告警目前不处于告警中,不能处理告警')
  const refused = await world.call(createDealRecord, { alarmRecordID: id, result: 'x' }, { token: world.admin })
  expect(refused.msg).toBe('该告警目前不处于告警中,不能处理告警')
  for (const { en } of [records, logs, deals, again]) expect(json(en)).not.toMatch(chinese)
})

test('notices are in the language of their channel, those of a test too', async () => {
  await eventually(async () => {
    expect(noticesOf('on-duty')).toHaveLength(2)
    expect(noticesOf('zhiban')).toHaveLength(2)
  })
  const of = (name: string, source: string) => noticesOf(name).find((one) => one.source === source)
  expect(of('zhiban', 'alarm')).toMatchObject({
    title: '【紧急】Overheated · Pump 1',
    content: expect.stringMatching(/^触发：temperature > 80 ℃（实际 90 ℃）\n设备：Pump 1（pump-1）\n产品：Pump\n/),
  })
  expect(of('on-duty', 'alarm')).toMatchObject({
    title: '[Urgent] Overheated · Pump 1',
    content: expect.stringMatching(
      /^Trigger: temperature > 80 ℃ \(actual 90 ℃\)\nDevice: Pump 1 \(pump-1\)\nProduct: Pump\n/,
    ),
  })
  expect(of('zhiban', 'scene')).toMatchObject({ trigger: 'temperature > 80 ℃' })
  const { list } = await world.asAdmin(listDeliveries, { source: 'alarm' })
  expect(list.map(({ title }) => title).toSorted()).toEqual([
    '[Urgent] Overheated · Pump 1',
    '【紧急】Overheated · Pump 1',
  ])
  for (const language of ['en', 'zh'] as const) {
    await world.asAdmin(testChannel, { type: 'webhook', language, settings: { url: `${receiver.url}/${language}` } })
  }
  expect(noticesOf('zh')[0]).toMatchObject({ title: 'iThings 测试通知', sourceName: '测试' })
  expect(noticesOf('en')[0]).toMatchObject({ title: 'iThings test notification', sourceName: 'Test' })
  expect(json([...noticesOf('on-duty'), ...noticesOf('en')])).not.toMatch(chinese)
})

test('why a notice was not delivered', async () => {
  receiver.reply = (response) => response.writeHead(503).end('busy')
  const settings = { url: `${receiver.url}/broken` }
  const { en, zh } = await both(testChannel, { type: 'webhook', settings })
  expect([zh.msg, en.msg]).toEqual(['对方应答 HTTP 503：busy', 'The receiver answered HTTP 503: busy'])
  const log = await both(listDeliveries, { state: 3, keyword: 'busy' })
  expect(log.zh.list[0]).toMatchObject({ error: '对方应答 HTTP 503：busy', sourceName: '测试' })
  expect(log.en.list[0]).toMatchObject({ error: 'The receiver answered HTTP 503: busy', sourceName: 'Test' })
})
