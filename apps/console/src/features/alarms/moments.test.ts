import type { AlarmLog } from '@ithings/contract/features/alarms/record.ts'
import type { HubLogRow } from '@ithings/contract/features/history.ts'
import type { SceneLog } from '@ithings/contract/features/scenes/log.ts'
import { expect, test } from 'vitest'
import { momentsOf } from './moments.ts'

const entry: HubLogRow = {
  timestamp: '1000',
  action: 'property',
  requestID: 'r',
  tranceID: 't',
  topic: '',
  content: '',
  resultType: '1',
  productID: 'p',
  deviceName: 'd',
  way: 'up',
  method: 'report',
  msg: '',
  latency: 3,
}
const log: AlarmLog = {
  id: 1,
  alarmRecordID: 1,
  desc: '',
  serial: '',
  sceneName: '联锁停泵',
  sceneID: 1,
  createdTime: 1100,
  level: 5,
  productID: 'p',
  deviceName: 'd',
}
const action = { ok: true, code: 200, msg: '', devices: [] }
const run: SceneLog = {
  runID: 'r',
  sceneID: 1,
  sceneName: '联锁停泵',
  triggerType: 'device',
  fired: 1,
  result: 4,
  reason: '',
  triggerText: '水泵温度 > 80',
  productID: 'p',
  deviceName: 'd',
  tranceID: 't',
  userName: '',
  conditions: [{ text: 'x', value: '1', ok: true, level: 0 }],
  actions: [
    { ...action, text: '行为 stop_pump', executor: 'device', startTime: 1010, endTime: 1030 },
    { ...action, text: '触发告警', executor: 'alarm', startTime: 1040, endTime: 1041 },
    { ...action, ok: false, msg: '超时', text: '值班群', executor: 'notify', startTime: 1050, endTime: 1090 },
  ],
  startTime: 1003,
  endTime: 1090,
  latency: 3,
}

test('message, rule and actions stand in the order of time', () => {
  const cause = { trigger: '水泵温度 > 80', dataID: 'pump_temp', value: '81.2' }
  const moments = momentsOf({ entry, run, log, cause })
  expect(moments.map(({ kind, text, tone }) => `${kind} ${text} ${tone}`)).toEqual([
    '上行 属性上报 pump_temp = 81.2 plain',
    '规则 水泵温度 > 80，1 个条件满足 plain',
    '下行 行为 stop_pump ok',
    '告警 触发告警 alarm',
    '通知 值班群：超时 error',
  ])
  expect(moments.at(2)?.took).toBe(20)
})

test('without message and run the occurrence itself is left', () => {
  expect(momentsOf({ entry: undefined, run: undefined, log, cause: undefined })).toEqual([
    { key: 'alarm', time: 1100, kind: '告警', text: '联锁停泵', took: undefined, tone: 'alarm' },
  ])
  expect(momentsOf({ entry: undefined, run: undefined, log: undefined, cause: undefined })).toEqual([])
})
