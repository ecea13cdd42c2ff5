import type { Define } from '@ithings/contract/thing-model/define.ts'
import { maxNumber } from '@ithings/contract/thing-model/limits.ts'
import { expect, test } from 'vitest'
import { summariseDefine, summariseParams, summaryText } from './define-summary.ts'

const text = (define: Define) => summaryText(summariseDefine(define))

test('screens.md 4.2: every one of the eight types says what it allows', () => {
  expect(text({ type: 'bool', mapping: { 1: '运行', 0: '停止' } })).toBe('0 停止 / 1 运行')
  expect(text({ type: 'enum', mapping: { 2: '检修', 0: '手动', 1: '自动' } })).toBe('0 手动 / 1 自动 / 2 检修')
  expect(text({ type: 'float', min: '0', max: '1.60', start: '0', step: '0.01', unit: 'MPa' })).toBe(
    '0–1.60 MPa，步长 0.01',
  )
  expect(text({ type: 'int', min: '0', max: '99999999', start: '5', step: '1' })).toBe('0–99,999,999，步长 1，初始值 5')
  expect(text({ type: 'string', max: '2048' })).toBe('最长 2,048 字节')
  expect(text({ type: 'timestamp' })).toBe('UTC 秒')
  expect(text({ type: 'struct', specs: [{ identifier: 'ia', name: 'A 相', dataType: { type: 'timestamp' } }] })).toBe(
    '1 个成员，ia',
  )
  expect(text({ type: 'array', arrayInfo: { type: 'string', max: '16' } })).toBe('字符串元素，最长 16 字节')
})

test('a bound at the end of the number line reads as no limit', () => {
  expect(text({ type: 'float', min: String(-maxNumber), max: String(maxNumber) })).toBe('不限范围')
  expect(text({ type: 'float', min: '0', max: String(maxNumber), unit: 'kWh' })).toBe('≥ 0 kWh')
  expect(text({ type: 'float', min: String(-maxNumber), max: '-1.5' })).toBe('≤ -1.5')
})

test('a long enumeration is cut and says how long it is', () => {
  const mapping = Object.fromEntries(Array.from({ length: 8 }, (_, key) => [key, `档${key}`]))
  expect(text({ type: 'enum', mapping })).toBe('0 档0 / 1 档1 / 2 档2 / 3 档3 / 4 档4，共 8 项')
})

test('parameters of events and actions are named', () => {
  expect(summaryText(summariseParams([]))).toBe('无参数')
  const params = [
    { identifier: 'level', name: '液位', define: { type: 'timestamp' as const } },
    { identifier: 'limit', name: '限值', define: { type: 'timestamp' as const } },
  ]
  expect(summaryText(summariseParams(params))).toBe('2 个参数，level, limit')
})
