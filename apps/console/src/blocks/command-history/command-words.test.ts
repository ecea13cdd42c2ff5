import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { expect, test } from 'vitest'
import { ApiError } from '#api/api-error.ts'
import {
  describeCommand,
  latencyTone,
  outcomeOfError,
  outcomeOfReply,
  outcomeOfRow,
  shadowText,
} from './command-words.ts'

const model: ThingModel = readTslText(
  JSON.stringify({
    properties: [
      { identifier: 'lamp', name: '灯', define: { type: 'bool', mapping: { 0: '关', 1: '开' } } },
      { identifier: 'speed', name: '转速', define: { type: 'int', min: '0', max: '3000', unit: 'rpm' } },
    ],
    actions: [{ identifier: 'wash', name: '反冲洗' }],
  }),
).model

test('screens.md 6.2: a time-out says that the command may have arrived, and what to do', () => {
  for (const code of [100016, 2000002]) {
    const { label, text } = outcomeOfError(new ApiError({ code, httpStatus: 400, message: '等待超时:设备回复超时' }))
    expect(label).toBe('超时')
    expect(text).toContain('10 秒内没有回复')
    expect(text).toContain('再决定是否重发')
  }
})

test('an offline device is explained with the way out', () => {
  const { label, text } = outcomeOfError(new ApiError({ code: 2000003, httpStatus: 400, message: '设备不在线' }))
  expect(label).toBe('设备不在线')
  expect(text).toContain('只写影子')
})

test('any other refusal keeps its own sentence', () => {
  const { label, text } = outcomeOfError(
    new ApiError({ code: 100015, httpStatus: 400, message: '转速 须在 0–3000 之间，收到 9000' }),
  )
  expect(label).toBe('100015 失败')
  expect(text).toBe('转速 须在 0–3000 之间，收到 9000')
})

test('http-api 4.5: the device may answer with an error of its own', () => {
  expect(outcomeOfReply({ code: 200, msg: '成功', status: '成功', viaShadow: false })).toEqual({
    tone: 'success',
    label: '200 成功',
    text: '',
  })
  expect(outcomeOfReply({ code: 4001, msg: '泵被锁定', status: '' })).toMatchObject({
    tone: 'error',
    label: '4001 失败',
    text: '设备回复：泵被锁定',
  })
})

test('a value in the shadow is no success of the device', () => {
  expect(outcomeOfReply({ code: 200, msg: '', status: '', viaShadow: true })).toMatchObject({
    label: '已写影子',
    text: shadowText,
  })
})

test('every state of the history has words, unknown ones too', () => {
  const row = { code: 4001, status: '泵被锁定', viaShadow: false }
  expect([1, 2, 3, 4, 9].map((state) => outcomeOfRow({ ...row, state }).label)).toEqual([
    '等待回复',
    '200 成功',
    '4001 失败',
    '超时',
    '未知（9）',
  ])
})

test('commands read as what they do', () => {
  const says = (kind: number, target: string, payload: string) => describeCommand({ kind, target, payload }, model)
  expect(says(1, '', '{"lamp":true,"speed":900}')).toBe('灯 → 开，转速 → 900 rpm')
  expect(says(1, '', '{"gone":1}')).toBe('gone → 1')
  expect(says(2, 'wash', '{}')).toBe('反冲洗')
  expect(says(3, '', '["speed"]')).toBe('读取 转速')
  expect(says(3, '', '')).toBe('读取 全部属性')
  expect(says(4, '$thing/down/property/p/d', '{}')).toBe('$thing/down/property/p/d')
})

test('look, chips: latency is green below 500 ms, amber to 3 s, then red', () => {
  expect([499, 500, 3000, 3001].map(latencyTone)).toEqual(['success', 'warning', 'warning', 'error'])
})
