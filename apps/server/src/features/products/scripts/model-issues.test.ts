import { toEnglish } from '@ithings/contract/english.ts'
import { fill, sayKept } from '@ithings/contract/text.ts'
import { emptyAction, emptyEvent, emptyProperty } from '@ithings/contract/thing-model/affordance.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import '#http/answer-language.ts'
import { describe, expect, test } from 'vitest'
import { modelIssues } from './model-issues.ts'

const int = { type: 'int', min: '0', max: '100', start: '0', step: '1' } as const
const model: ThingModel = {
  properties: [
    { ...emptyProperty, identifier: 'level', define: int },
    { ...emptyProperty, identifier: 'pump', define: { type: 'bool', mapping: { 0: '停', 1: '开' } } },
  ],
  events: [
    {
      ...emptyEvent,
      identifier: 'overflow',
      type: 'alert',
      params: [{ identifier: 'level', name: '液位', define: int }],
    },
  ],
  actions: [
    {
      ...emptyAction,
      identifier: 'flush',
      dir: 'down',
      input: [],
      output: [{ identifier: 'litres', name: '升', define: int }],
    },
    { ...emptyAction, identifier: 'askTime', dir: 'up', input: [{ identifier: 'zone', name: '时区', define: int }] },
  ],
}
const issues = (handler: string, value: unknown, by = fill) =>
  modelIssues(handler, value, model).map((issue) => sayKept(issue, by))
const property = (value: unknown, by = fill) => issues('thingPropertyUp', value, by)
const event = (value: unknown, by = fill) => issues('thingEventUp', value, by)
const action = (value: unknown) => issues('thingActionUp', value)

describe('properties', () => {
  test('a report that fits has no issues, in both dialects', () => {
    expect(property({ method: 'report', params: { level: 5, pump: true } })).toEqual([])
    expect(property({ method: 'get_report_reply', params: { level: '7' } })).toEqual([])
    expect(property({ method: 'getStatus' })).toEqual([])
  })

  test('every bad value and unknown property is named', () => {
    expect(property({ method: 'report', params: { level: 101, pump: 'x', colour: 1 } })).toEqual([
      '属性 level 须在 0–100 之间，收到 101',
      '属性 pump 须为布尔值，收到 "x"',
      '属性 colour 不在物模型中，会被忽略',
    ])
  })

  test.each([
    [null, 'thingPropertyUp 须返回消息对象，如 {"method":"report", …}，收到 null'],
    [[1], 'thingPropertyUp 须返回消息对象，如 {"method":"report", …}，收到 [1]'],
    [{}, '消息缺少 method'],
    [{ method: 'eventPost' }, 'method eventPost 不适用于 thingPropertyUp，可用：report、getReportReply'],
    [{ method: 'report' }, '缺少 params 对象'],
    [{ method: 'report', params: {} }, 'params 为空，没有可保存的属性'],
  ])('%j is no message', (value, issue) => {
    expect(property(value)).toEqual([issue])
  })

  test('names of the prototype are no properties', () => {
    expect(property({ method: 'report', params: { constructor: 1 } })).toEqual([
      '属性 constructor 不在物模型中，会被忽略',
    ])
  })
})

describe('events', () => {
  test('an event with its type and parameters fits', () => {
    expect(event({ method: 'event_post', eventID: 'overflow', type: 'alert', params: { level: 99 } })).toEqual([])
  })

  test.each([
    [{ method: 'eventPost' }, ['缺少 eventID']],
    [{ method: 'eventPost', eventID: 'fire' }, ['事件 fire 不在物模型中']],
    [
      { method: 'eventPost', eventID: 'overflow', type: 'info', params: { depth: 1 } },
      ['事件 overflow 的 type 须为 alert，收到 "info"', '缺少参数 level', '参数 depth 不在物模型中，会被忽略'],
    ],
    [{ method: 'eventPost', eventID: 'overflow', type: 'alert' }, ['缺少 params 对象']],
  ])('%j is told what is wrong', (value, issues) => {
    expect(event(value)).toEqual(issues)
  })
})

describe('actions', () => {
  test('replies fit by their output, with or without the name of the action', () => {
    expect(action({ method: 'actionReply', code: 200 })).toEqual([])
    expect(action({ method: 'action_reply', actionID: 'flush', response: { litres: 3 } })).toEqual([])
    expect(action({ method: 'actionReply', actionID: 'flush', data: { litres: 300 } })).toEqual([
      '参数 litres 须在 0–100 之间，收到 300',
    ])
  })

  test('a call from the device needs an action that goes up', () => {
    expect(action({ method: 'action', actionID: 'askTime', params: { zone: 8 } })).toEqual([])
    expect(action({ method: 'action', actionID: 'flush' })).toEqual(['行为 flush 只能由平台调用'])
    expect(action({ method: 'action', actionID: 'nope' })).toEqual(['行为 nope 不在物模型中'])
    expect(action({ method: 'action' })).toEqual(['缺少 actionID'])
  })
})

test('who reads English is told in English', () => {
  const params = { level: 101, pump: 'x', colour: 1 }
  const told = [
    ...property({ method: 'report', params }, toEnglish),
    ...property(null, toEnglish),
    ...event({ method: 'eventPost', eventID: 'overflow', type: 'info', params: {} }, toEnglish),
  ]
  expect(told).toEqual([
    'Property level must be between 0 and 100, not 101',
    'Property pump must be a boolean, not "x"',
    'Property colour is not in the thing model and will be ignored',
    'thingPropertyUp must return a message object such as {"method":"report", …}, not null',
    'The type of event overflow must be alert, not "info"',
    'Parameter level is missing',
  ])
})

test('messages that the model does not describe have no issues', () => {
  expect(modelIssues('gatewayOperationUp', { anything: 1 }, model)).toEqual([])
})
