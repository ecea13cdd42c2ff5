import { targetSettings } from '@ithings/contract/features/forwarding/targets.ts'
import { expect, test } from 'vitest'
import { lagsTooMuch, lagText, lossTexts, rateText, sourcesText, stateOf, targetAddress } from './words.ts'

test.each([
  [{ type: 'webhook', url: 'https://user:pw@hooks.example.com/T0/secret?token=x' }, 'hooks.example.com'],
  [{ type: 'mqtt', url: 'mqtts://u:pw@broker.example.com:8883', topic: 'a/b' }, 'broker.example.com:8883 a/b'],
  [{ type: 'kafka', brokers: 'k1:9092,k2:9092', topic: 'things' }, 'k1:9092,k2:9092 things'],
  [
    { type: 'postgres', host: 'db', database: 'lake', username: 'u', password: 'pw', table: 't' },
    'db:5432/lake public.t',
  ],
  [{ type: 'influx', url: 'http://influx:8086', bucket: 'b', token: 'pw' }, 'influx:8086 b'],
  [{ type: 's3', endpoint: 'https://s3.example.com', bucket: 'lake', accessKey: 'AK' }, 's3.example.com/lake/ithings/'],
  [{ type: 'amqp', url: 'amqp://mq:5672', password: 'pw', routingKey: 'q' }, 'mq:5672 q'],
])('the address of a target is told without its secrets (%#)', (settings, told) => {
  expect(targetAddress(targetSettings.parse(settings))).toBe(told)
})

test('a rule that is paused does not fail, whatever it met before', () => {
  expect(stateOf({ status: 1, error: '' })).toBe('running')
  expect(stateOf({ status: 1, error: '连接被拒绝' })).toBe('failing')
  expect(stateOf({ status: 2, error: '连接被拒绝' })).toBe('paused')
})

test('a lag is too long by the limit of the rule, or after a minute', () => {
  expect(lagsTooMuch({ lagMs: 60_000, lagSeconds: 0 })).toBe(false)
  expect(lagsTooMuch({ lagMs: 60_001, lagSeconds: 0 })).toBe(true)
  expect(lagsTooMuch({ lagMs: 5_001, lagSeconds: 5 })).toBe(true)
  expect(lagsTooMuch({ lagMs: 90_000, lagSeconds: 300 })).toBe(false)
  expect([lagText(12), lagText(95_000)]).toEqual(['不到 1 秒', '1 分 35 秒'])
})

test('rates: little is not nothing, much has no decimals', () => {
  expect([0, 0.02, 3.14, 2_999.6].map(rateText)).toEqual(['0', '0.1', '3.1', '3,000'])
})

test('whoever deletes a rule is told what goes with it', () => {
  expect(lossTexts({ lagMs: 65_000, deadLetters: 1_200 })).toEqual([
    '有消息在等待发送，最早的一条已等待 1 分 5 秒，删除后不再发送。',
    '1,200 条死信一并删除，无法恢复。',
  ])
  const told = (waiting: number, lagMs: number) => lossTexts({ waiting, lagMs, deadLetters: 0 })[0]
  expect(told(1_234, 65_000)).toBe('约 1,234 条消息在等待发送，最早的一条已等待 1 分 5 秒，删除后不再发送。')
  expect(told(10_000, 0)).toBe('约 10,000+ 条消息在等待发送，删除后不再发送。')
  expect(told(0, 0)).toBe('没有等待发送的消息。')
  expect(lossTexts({ lagMs: 0, deadLetters: 0 })).toEqual(['没有等待发送的消息。'])
})

test('sources are named in the order of the rule', () => {
  expect(sourcesText(['alarm', 'property'])).toBe('告警、属性上报')
})
