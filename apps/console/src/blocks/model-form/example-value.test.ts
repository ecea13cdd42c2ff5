import type { Define } from '@ithings/contract/thing-model/define.ts'
import { compileDefine } from '@ithings/contract/thing-model/values.ts'
import { describe, expect, test } from 'vitest'
import { exampleParams, exampleValue, startValue } from './example-value.ts'

const now = 1_700_000_000_000

const defines: Define[] = [
  { type: 'bool', mapping: { 0: '关', 1: '开' } },
  { type: 'int', min: '0', max: '50', start: '0', step: '1' },
  { type: 'int', min: '-7', max: '-3', step: '5' },
  { type: 'int', min: '10', max: '10', step: '3' },
  { type: 'float', min: '0', max: '1.6', step: '0.01', unit: 'MPa' },
  { type: 'float', min: '-9999999999999', max: '9999999999999' },
  { type: 'float', min: '0.3', max: '0.35', step: '0.05' },
  { type: 'string', max: '2' },
  { type: 'string', max: '2048' },
  { type: 'timestamp' },
  { type: 'enum', mapping: { 3: '三' } },
  { type: 'array', arrayInfo: { type: 'int', min: '0', max: '3000', step: '10' } },
  {
    type: 'struct',
    specs: [
      { identifier: 'ia', name: 'A', dataType: { type: 'float', min: '0', max: '400', step: '0.1' } },
      { identifier: 'on', name: '开', dataType: { type: 'bool', mapping: { 0: '关', 1: '开' } } },
    ],
  },
]

describe('an example is a value that the platform takes', () => {
  // 10–10 with step 3 has no multiple: nothing fits there as a command.
  const possible = defines.filter((define) => define.min !== '10')
  test.each(possible.map((define) => [JSON.stringify(define), define] as const))('%s', (_name, define) => {
    const value = exampleValue(define, now)
    expect(compileDefine(define, 'command')(value, 'v')).toEqual({ ok: true, value })
    expect(compileDefine(define, 'report')(value, 'v').ok).toBe(true)
  })
})

test('a range without any multiple of its step shows its lower end', () => {
  expect(exampleValue({ type: 'int', min: '10', max: '10', step: '3' }, now)).toBe(10)
})

test('parameters become one object, keyed by identifier', () => {
  const params = [
    { identifier: 'mode', name: '模式', define: { type: 'enum' as const, mapping: { 0: '手动', 1: '自动' } } },
    { identifier: 'at', name: '时间', define: { type: 'timestamp' as const } },
  ]
  expect(exampleParams(params, now)).toEqual({ mode: 1, at: 1_700_000_000 })
})

test('a new value starts from the default of the definition, a time from now', () => {
  expect(startValue({ type: 'int', start: '5' }, now)).toBe(5)
  expect(startValue({ type: 'timestamp' }, now)).toBe(1_700_000_000)
  expect(startValue({ type: 'array', arrayInfo: { type: 'timestamp' } }, now)).toEqual([])
})
