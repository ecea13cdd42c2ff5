import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { expect, test } from 'vitest'
import { sampleRecord } from '#blocks/alarm-records/testing/sample-record.ts'
import { firedIn, happeningsOf, type Told } from './happenings.ts'

const { model } = readTslText(
  JSON.stringify({
    properties: [{ identifier: 'on', name: '泵', mode: 'rw', define: { type: 'bool', mapping: { 0: '停', 1: '转' } } }],
    events: [{ identifier: 'hot', name: '过热', type: 'alert', params: [] }],
  }),
)
const message = (at: number, more: object) => ({
  timestamp: String(at),
  action: 'otaLog',
  requestID: '',
  tranceID: `t${at}`,
  topic: '$ota/up/progress/p/d',
  content: '{}',
  resultType: '200',
  productID: 'p',
  deviceName: 'd',
  way: 'up',
  method: 'report',
  msg: '',
  latency: 0,
  ...more,
})
const command = {
  clientToken: 'c1',
  productID: 'p',
  deviceName: 'd',
  kind: 1,
  target: '',
  payload: '{"on":true}',
  state: 4,
  code: 0,
  status: '',
  reply: '',
  userName: '林',
  source: 'user',
  sentTime: '20',
  doneTime: '0',
  latency: 0,
  viaShadow: false,
}

const tasks = [
  { taskID: 8, createdTime: 0.02 },
  { taskID: 9, createdTime: 0.035 },
]
const tell = (told: Told) => happeningsOf(told, { device: { productID: 'p', deviceName: 'd' }, model, tasks })

test('events, commands, upgrades and configuration are one list, newest first', () => {
  const told = {
    events: [{ dataID: 'hot', type: 'alert', params: '{}', timestamp: '10', deviceName: 'd' }],
    commands: [command],
    messages: [
      message(40, { action: 'config', way: 'down', method: 'push', content: '{"configID":47}' }),
      message(30, { way: 'down', topic: '$ota/down/upgrade/p/d' }),
    ],
  }
  expect(tell(told).map(({ kind, name, type, text }) => [kind, name, type, text])).toEqual([
    ['config', '远程配置', 'info', '版本 47 已下发'],
    ['upgrade', '固件升级', 'info', '已推送'],
    ['command', '泵 → 转', 'alert', '指令 超时 林'],
    ['event', '过热', 'alert', ''],
  ])
  const page = '/deviceMangers/device/detail/p/d/10'
  expect(tell(told).map(({ to }) => to && decodeURIComponent(to))).toEqual([
    '/operationsMonitorings/remoteConfiguration/index?productID=p&tab=versions&version=47',
    // The last task before it.
    '/operationsMonitorings/firmwareUpgrade/index?taskID=8&d-name=d&d-scope=all',
    `${page}?view=commands&cclientToken=c1&ctime=19~21`,
    `${page}?view=events&edataID=hot&etime=9~11`,
  ])
})

test('of an upgrade its end is told, not each step; nor what a device asks for by itself', () => {
  const messages = [
    message(3, { content: '{"step":100}' }),
    message(2, { content: '{"step":-2,"desc":"校验失败"}' }),
    message(1, { content: '{"step":50}' }),
    message(0, { action: 'config', method: 'get' }),
    message(0, { way: 'down', topic: '$ota/down/report/p/d' }),
  ]
  expect(tell({ messages }).map(({ type, text }) => [type, text])).toEqual([
    ['info', '安装完成'],
    ['fault', '失败 校验失败'],
  ])
})

test('an alarm stands where it was opened, else where it was seen last, and leads to its record', () => {
  const record = sampleRecord({ id: 6, firstAlarm: 100, lastAlarm: 200 })
  const at = (from: number, to: number) => firedIn(record, from, to).map(({ time }) => time)
  expect([at(50, 300), at(150, 300), at(120, 180)]).toEqual([[100], [200], []])
  expect(tell({ alarms: firedIn(record, 50, 300) })).toMatchObject([
    { kind: 'alarm', name: '水泵超温', type: 'fault', to: '/alarmMangers/alarmConfiguration/log?tab=all&record=6' },
  ])
})

test('an upgrade of a task that is gone, or that nobody may read, leads nowhere', () => {
  const [push] = tell({ messages: [message(10, { way: 'down', topic: '$ota/down/upgrade/p/d' })] })
  expect(push).toMatchObject({ kind: 'upgrade', to: undefined })
})
