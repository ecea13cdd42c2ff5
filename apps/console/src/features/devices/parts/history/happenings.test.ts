import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { expect, test } from 'vitest'
import { happeningsOf } from './happenings.ts'

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

test('events, commands, upgrades and configuration are one list, newest first', () => {
  const told = {
    events: [{ dataID: 'hot', type: 'alert', params: '{}', timestamp: '10', deviceName: 'd' }],
    commands: [command],
    messages: [
      message(40, { action: 'config', way: 'down', method: 'push' }),
      message(30, { way: 'down', topic: '$ota/down/upgrade/p/d' }),
    ],
  }
  expect(happeningsOf(told, model).map(({ kind, name, type, text }) => [kind, name, type, text])).toEqual([
    ['config', '远程配置', 'info', '已下发'],
    ['upgrade', '固件升级', 'info', '已推送'],
    ['command', '泵 → 转', 'alert', '指令 超时 林'],
    ['event', '过热', 'alert', ''],
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
  expect(happeningsOf({ messages }, model).map(({ type, text }) => [type, text])).toEqual([
    ['info', '安装完成'],
    ['fault', '失败 校验失败'],
  ])
})
