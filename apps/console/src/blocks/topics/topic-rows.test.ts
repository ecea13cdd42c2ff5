import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { expect, test } from 'vitest'
import { payloadOf, topicRows } from './topic-rows.ts'
import { messagesOf } from './topic-samples.ts'

const now = 1_700_000_000_000
const common = { desc: '', required: false }
const model: ThingModel = {
  properties: [
    {
      ...common,
      identifier: 'level',
      name: '液位',
      mode: 'r',
      isUseShadow: false,
      isNoRecord: false,
      define: { type: 'float', min: '0', max: '6', start: '0', step: '0.01', unit: 'm' },
    },
    {
      ...common,
      identifier: 'pump_on',
      name: '水泵',
      mode: 'rw',
      isUseShadow: false,
      isNoRecord: false,
      define: { type: 'bool', mapping: { 0: '停', 1: '开' } },
    },
  ],
  events: [{ ...common, identifier: 'over', name: '超限', type: 'alert', params: [] }],
  actions: [],
}
const messages = messagesOf(model, 'PS3kQ8ZpVn0', now)
const product = { productID: 'PS3kQ8ZpVn0', deviceType: 1, autoRegister: 1, dialect: 0 }
const methods = (given: Partial<typeof product> = {}) =>
  topicRows({ ...product, ...given }, messages).map(({ way, method, topic }) => `${way} ${method} ${topic}`)

test('screens.md 4.3: the ten messages of the thing model with the real product id', () => {
  const wanted = [
    ['up report', 'up/property'],
    ['down report_reply', 'down/property'],
    ['down control', 'down/property'],
    ['up control_reply', 'up/property'],
    ['up get_status', 'up/property'],
    ['down get_status_reply', 'down/property'],
    ['up event_post', 'up/event'],
    ['down event_reply', 'down/event'],
    ['down action', 'down/action'],
    ['up action_reply', 'up/action'],
  ].map(([line, place]) => `${line} $thing/${place}/PS3kQ8ZpVn0/{DeviceName}`)
  expect(methods()).toEqual(expect.arrayContaining(wanted))
})

test('screens.md 6.12: on the page of a device its name stands in every topic', () => {
  const rows = topicRows({ ...product, deviceType: 2, autoRegister: 2 }, messages, 'pump:1')
  expect(rows.map(({ topic }) => topic.split('/').slice(-2).join('/'))).toEqual(rows.map(() => 'PS3kQ8ZpVn0/pump:1'))
})

test('decisions.md 2: the camelCase dialect spells them the other way', () => {
  const found = methods({ dialect: 2 })
  expect(found).toContain('down reportReply $thing/down/property/PS3kQ8ZpVn0/{DeviceName}')
  expect(found.some((line) => line.includes('_'))).toBe(false)
})

test('gateway and registration topics are listed where the product can use them', () => {
  const has = (lines: string[], place: string) => lines.some((line) => line.includes(place))
  expect(has(methods(), '$gateway/')).toBe(false)
  expect(has(methods({ deviceType: 2 }), '$gateway/up/operation/')).toBe(true)
  expect(has(methods(), '$ext/up/register')).toBe(false)
  expect(has(methods({ autoRegister: 2 }), '$ext/up/register')).toBe(true)
})

test('device-protocol.md 4: every head that devices may use is listed', () => {
  const heads = new Set(methods({ deviceType: 2 }).map((line) => /\$(\w+)\//.exec(line)?.[1]))
  expect([...heads].sort()).toEqual(['config', 'ext', 'gateway', 'log', 'ota', 'thing'])
})

test('samples carry values of the model; only writable ones are set', () => {
  const report = payloadOf('report', messages, 0, now)
  expect(report).toMatchObject({ method: 'report', clientToken: expect.any(String), params: { pump_on: true } })
  expect(Object.keys(report.params as object)).toEqual(['level', 'pump_on'])
  expect(payloadOf('control', messages, 0, now).params).toEqual({ pump_on: true })
  expect(payloadOf('eventPost', messages, 0, now)).toMatchObject({
    method: 'event_post',
    eventID: 'over',
    type: 'alert',
  })
})

test('decisions.md 2: what the platform begins carries both tokens, a reply that of its dialect', () => {
  expect(Object.keys(payloadOf('control', messages, 0, now))).toEqual(
    expect.arrayContaining(['clientToken', 'msgToken']),
  )
  expect(payloadOf('reportReply', messages, 0, now)).toMatchObject({
    code: 200,
    status: '成功',
    clientToken: '7f3a-0192',
  })
  expect(payloadOf('reportReply', messages, 2, now)).toMatchObject({ code: 200, msg: '成功', msgToken: '7f3a-0192' })
})
