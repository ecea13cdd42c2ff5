import { hourMs } from '@ithings/contract/durations.ts'
import type { Define } from '@ithings/contract/thing-model/define.ts'
import { compileDefine } from '@ithings/contract/thing-model/values.ts'
import { expect, test } from 'vitest'
import { makeNumberSource } from './curves.ts'
import { makeRandom } from './random.ts'
import { cutText, makeValueSource } from './value-source.ts'

const hint = { identifier: 'x', name: '某量' }
const morning = new Date(2026, 10, 15, 6).getTime()

const series = (define: Define, options: { hint?: typeof hint; count?: number; pace?: number; seed?: string } = {}) => {
  const source = makeValueSource(define, options.hint ?? hint, makeRandom(options.seed ?? 's'))
  return Array.from({ length: options.count ?? 500 }, (_, i) => source(morning + i * (options.pace ?? 60_000)))
}

const defines: Record<string, Define> = {
  'int with step': { type: 'int', min: '-50', max: '150', start: '0', step: '5' },
  'int of any size': { type: 'int', min: '-9999999999999', max: '9999999999999', start: '0', step: '1' },
  'float with step': { type: 'float', min: '0.5', max: '3', start: '1', step: '0.05', unit: 'A' },
  'float without step': { type: 'float', min: '-40', max: '80', start: '0', unit: '℃' },
  'float whose unit is out of range': { type: 'float', min: '500', max: '900', start: '600', unit: '℃' },
  'range without a multiple of the step': { type: 'float', min: '0.2', max: '0.3', start: '0.2', step: '5' },
  'one value only': { type: 'int', min: '7', max: '7', start: '7', step: '1' },
  bool: { type: 'bool', mapping: { 0: '关', 1: '开' } },
  enum: { type: 'enum', mapping: { 2: '低', 5: '中', 9: '高' } },
  string: { type: 'string', max: '10' },
  timestamp: { type: 'timestamp' },
  struct: {
    type: 'struct',
    specs: [
      { identifier: 'level', name: '液位', dataType: { type: 'int', min: '0', max: '100', start: '0', step: '1' } },
      { identifier: 'state', name: '状态', dataType: { type: 'bool', mapping: { 0: '关', 1: '开' } } },
    ],
  },
  array: { type: 'array', arrayInfo: { type: 'float', min: '0', max: '1', start: '0', step: '0.1' } },
}

test.each(Object.entries(defines))('values of %s are valid reports', (_name, define) => {
  const coerce = compileDefine(define, 'report')
  for (const value of series(define)) expect(coerce(value, 'x')).toEqual({ ok: true, value })
})

test('numbers lie on the step', () => {
  const coerce = compileDefine(defines['float with step'] as Define, 'command')
  for (const value of series(defines['float with step'] as Define)) expect(coerce(value, 'x').ok).toBe(true)
})

test('the same seed gives the same values, another seed others', () => {
  const define = defines['float without step'] as Define
  expect(series(define, { seed: 'a' })).toEqual(series(define, { seed: 'a' }))
  expect(series(define, { seed: 'a' })).not.toEqual(series(define, { seed: 'b' }))
})

test('a temperature is warm in the afternoon and cold before dawn', () => {
  const values = series(defines['float without step'] as Define, {
    hint: { identifier: 'temperature', name: '温度' },
    count: 24,
    pace: hourMs,
  }) as number[]
  const afternoon = values[9] as number
  const night = values[21] as number
  expect(afternoon).toBeGreaterThan(night + 3)
  expect(Math.max(...values)).toBeLessThanOrEqual(30)
  expect(Math.min(...values)).toBeGreaterThanOrEqual(18)
})

test('a counter never goes back', () => {
  const define: Define = { type: 'float', min: '0', max: '9999999', start: '0', step: '0.01', unit: 'kWh' }
  const values = series(define, {
    hint: { identifier: 'energyTotal', name: '累计电量' },
    pace: 10 * 60_000,
  }) as number[]
  for (const [i, value] of values.entries()) expect(value).toBeGreaterThanOrEqual(values[i - 1] ?? 0)
  expect(values.at(-1)).toBeGreaterThan(values[0] as number)
})

test('a counter begins again beyond its end', () => {
  const source = makeNumberSource({ kind: 'counter', low: 0, high: 10, perHour: 3 }, makeRandom('s'))
  const values = Array.from({ length: 50 }, (_, i) => source(morning + i * hourMs))
  expect(values.some((value, i) => value < (values[i - 1] ?? 0))).toBe(true)
  for (const value of values) expect(value).toBeLessThan(10)
})

test('a wandering value moves in small steps within its range', () => {
  const source = makeNumberSource({ kind: 'walk', low: 0, high: 60 }, makeRandom('s'))
  const values = Array.from({ length: 2000 }, (_, i) => source(morning + i * 1000))
  const jumps = values.slice(1).map((value, i) => Math.abs(value - (values[i] as number)))
  expect(Math.max(...jumps)).toBeLessThan(5)
  expect(Math.max(...values) - Math.min(...values)).toBeGreaterThan(10)
})

test('switches and states last a while and do change', () => {
  const bools = series(defines.bool as Define, { count: 1000 })
  const flips = bools.filter((value, i) => i > 0 && value !== bools[i - 1]).length
  expect(flips).toBeGreaterThan(5)
  expect(flips).toBeLessThan(200)
  expect(new Set(series(defines.enum as Define, { count: 1000 }))).toEqual(new Set([2, 5, 9]))
})

test('texts are cut between characters', () => {
  expect(cutText('运行正常', 7)).toBe('运行')
  expect(cutText('abc', 7)).toBe('abc')
})
