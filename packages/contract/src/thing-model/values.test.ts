import { describe, expect, test } from 'vitest'
import { rawDefine } from './define.ts'
import { normaliseDefine } from './normalise-define.ts'
import { compileDefine, defaultValue, type ValueUse, valueText } from './values.ts'

const define = (raw: unknown) =>
  normaliseDefine(rawDefine.parse(raw), '', (issue) => {
    throw new Error(issue.text)
  })
const coerce = (raw: unknown, value: unknown, use: ValueUse = 'report') => compileDefine(define(raw), use)(value, 'v')
const value = (raw: unknown, given: unknown, use?: ValueUse) => {
  const result = coerce(raw, given, use)
  return result.ok ? result.value : result.fault.code
}
const wrongType = 100006
const outOfRange = 100015

describe('bool', () => {
  const bool = { type: 'bool', mapping: { 0: '关', 1: '开' } }
  test.each([true, 1, '1', 'true', 'TRUE', 'True', 't', 'T'])('%j is yes', (given) =>
    expect(value(bool, given)).toBe(true),
  )
  test.each([false, 0, '0', 'false', 'FALSE', 'False', 'f', 'F'])('%j is no', (given) =>
    expect(value(bool, given)).toBe(false),
  )
  test.each([2, -1, '', 'yes', null, undefined, [], {}, Number.NaN])('%j is neither', (given) =>
    expect(value(bool, given)).toBe(wrongType),
  )
})

describe('int', () => {
  const int = { type: 'int', min: '-10', max: '100', step: '5' }
  test.each([
    [0, 0],
    [-10, -10],
    [100, 100],
    ['42', 42],
    ['-7', -7],
    ['1e1', 10],
    [7, 7],
  ])('a report of %j is stored as %j, whatever the step', (given, wanted) => expect(value(int, given)).toBe(wanted))
  test('a fraction in a report loses what is behind the point', () => {
    expect(value(int, 7.9)).toBe(7)
    expect(value(int, '-7.9')).toBe(-7)
  })
  test.each([-11, 101, '101', 1e300])('%j is out of range', (given) => expect(value(int, given)).toBe(outOfRange))
  test.each(['', ' ', 'x', '0x10', '1,5', '٣', true, null, [1], {}, Number.NaN, Number.POSITIVE_INFINITY])(
    '%j is no number',
    (given) => expect(value(int, given)).toBe(wrongType),
  )
  test('a command must fit the step', () => {
    expect(value(int, 15, 'command')).toBe(15)
    expect(value(int, '-10', 'command')).toBe(-10)
    expect(value(int, 17, 'command')).toBe(outOfRange)
    expect(value(int, 7.5, 'command')).toBe(wrongType)
  })
  test('the refusal names field, limit and value', () => {
    expect(coerce(int, 101)).toEqual({ ok: false, fault: { code: 100015, text: 'v 须在 -10–100 之间，收到 101' } })
    expect(coerce(int, 17, 'command')).toEqual({
      ok: false,
      fault: { code: 100015, text: 'v 须为步长 5 的整数倍，收到 17' },
    })
    expect(coerce(int, 'x'.repeat(100))).toMatchObject({
      fault: { text: expect.stringMatching(/^v 须为整数，收到 "x{59}…$/) },
    })
  })
})

describe('float', () => {
  const float = (step: string, max = '1000') => ({ type: 'float', min: '-1000', max, step })
  test('a report is stored as sent', () => {
    expect(value(float('0.1'), 0.123456)).toBe(0.123456)
    expect(value(float('0.1'), '2.5e-3')).toBe(0.0025)
    expect(value(float('0.1'), 1000.0001)).toBe(outOfRange)
  })
  test.each([
    ['0.1', 0.1 * 3, 0.3],
    ['0.1', 0.7, 0.7],
    ['0.1', -12.3, -12.3],
    ['0.01', 1.15, 1.15],
    ['0.25', 0.5, 0.5],
    ['1e-7', 0.0000003, 0.0000003],
    ['0.3', 0.9000000000000001, 0.9],
    ['3', 9.0000000001, 9],
  ])('with a step of %s the command %j means %j', (step, given, wanted) => {
    expect(value(float(step), given, 'command')).toBe(wanted)
  })
  test.each([
    ['0.1', 0.15],
    ['0.1', 0.1 + 2e-9],
    ['0.25', 0.3],
    ['3', 10],
  ])('with a step of %s the command %j is refused', (step, given) => {
    expect(value(float(step), given, 'command')).toBe(outOfRange)
  })
  test('large numbers are not waved through, and keep all of their digits', () => {
    const large = float('0.5', '9999999999999')
    expect(value(large, 1_234_567_890_123.5, 'command')).toBe(1_234_567_890_123.5)
    expect(value(large, 1_234_567_890_123.25, 'command')).toBe(outOfRange)
    expect(value(float('0.3', '9999999999999'), 1_000_000_000_000, 'command')).toBe(outOfRange)
  })
  test('a multiple just beyond the limit is refused', () => {
    expect(value(float('1', '9.9999999999'), 9.9999999999, 'command')).toBe(outOfRange)
  })
  test('without a step every command is taken', () => {
    expect(value({ type: 'float', min: '0', max: '1' }, 0.123456789, 'command')).toBe(0.123456789)
  })
})

describe('string', () => {
  const text = { type: 'string', max: '6' }
  test('the limit counts bytes', () => {
    expect(value(text, '')).toBe('')
    expect(value(text, 'abcdef')).toBe('abcdef')
    expect(value(text, '水泵')).toBe('水泵')
    expect(value(text, 'abcdefg')).toBe(outOfRange)
    expect(value(text, '水泵站')).toBe(outOfRange)
    expect(value(text, '😀😀')).toBe(outOfRange)
  })
  test.each([1, true, null, {}, ['a']])('%j is no text', (given) => expect(value(text, given)).toBe(wrongType))
})

describe('enum', () => {
  const mode = { type: 'enum', mapping: { 0: '停', 2: '开', '-1': '坏' } }
  test.each([0, 2, -1])('%j is one of its keys', (given) => expect(value(mode, given)).toBe(given))
  test.each([1, 3, -2])('%j is not', (given) => expect(value(mode, given)).toBe(outOfRange))
  test.each(['0', 0.5, true, null])('%j is no number of an enumeration', (given) =>
    expect(value(mode, given)).toBe(wrongType),
  )
  test('in a command a text of digits counts, as existing consoles send it back', () => {
    expect(value(mode, '-1', 'command')).toBe(-1)
    expect(value(mode, '3', 'command')).toBe(outOfRange)
    for (const given of ['', '0.5', '开', true]) expect(value(mode, given, 'command')).toBe(wrongType)
  })
})

describe('timestamp', () => {
  const time = { type: 'timestamp' }
  test.each([
    [0, 0],
    [1_700_000_000, 1_700_000_000],
    ['1700000000000', 1_700_000_000_000],
    [-1, -1],
  ])('%j is stored as %j', (given, wanted) => expect(value(time, given)).toBe(wanted))
  test.each([1.5, '1.5', 'now', '', null, 1e300])('%j is no time', (given) =>
    expect(value(time, given)).toBe(wrongType),
  )
})

describe('struct', () => {
  const place = {
    type: 'struct',
    specs: [
      { identifier: 'x', name: '横', dataType: { type: 'int', min: '0', max: '9' } },
      {
        identifier: 'list',
        name: '表',
        dataType: { type: 'array', arrayInfo: { type: 'bool', mapping: { 0: '否', 1: '是' } } },
      },
    ],
  }
  test('unknown members are ignored, missing ones allowed, the others coerced', () => {
    expect(value(place, { x: '3', y: 4, list: [1, 'false'] })).toEqual({ x: 3, list: [true, false] })
    expect(value(place, {})).toEqual({})
  })
  test('a fault names the path of the member', () => {
    expect(coerce(place, { x: 10 })).toMatchObject({
      ok: false,
      fault: { code: outOfRange, text: expect.stringContaining('v.x ') },
    })
    expect(coerce(place, { list: [true, 'x'] })).toMatchObject({
      fault: { text: expect.stringContaining('v.list[1] ') },
    })
  })
  test.each([1, 'x', null, []])('%j is no object', (given) => expect(value(place, given)).toBe(wrongType))
  test('members are taken from the object itself only', () => {
    const named = { type: 'struct', specs: [{ identifier: 'constructor', name: '名', dataType: { type: 'string' } }] }
    expect(value(named, {})).toEqual({})
    expect(value(place, JSON.parse('{"__proto__":{"x":1}}'))).toEqual({})
  })
})

describe('array', () => {
  const list = { type: 'array', arrayInfo: { type: 'int', min: '0', max: '9', step: '3' } }
  test('each element is held against the element type', () => {
    expect(value(list, [1, '2'])).toEqual([1, 2])
    expect(value(list, [])).toEqual([])
    expect(value(list, [1, 10])).toBe(outOfRange)
    expect(value(list, [1, null])).toBe(wrongType)
    expect(value(list, [3, 6], 'command')).toEqual([3, 6])
    expect(value(list, [3, 7], 'command')).toBe(outOfRange)
  })
  test.each([1, '[]', {}, null])('%j is no array', (given) => expect(value(list, given)).toBe(wrongType))
})

test.each([
  [{ type: 'bool', mapping: { 0: '关', 1: '开' } }, false],
  [{ type: 'int', min: '5', max: '9' }, 5],
  [{ type: 'float', start: '0.5' }, 0.5],
  [{ type: 'string' }, ''],
  [{ type: 'timestamp' }, 0],
  [{ type: 'array', arrayInfo: { type: 'int' } }, []],
  [{ type: 'enum', mapping: { 10: '丙', 2: '乙', '-3': '甲' } }, -3],
  [
    {
      type: 'struct',
      specs: [
        { identifier: 'a', name: '甲', dataType: { type: 'int', start: '7' } },
        { identifier: 'b', name: '乙', dataType: { type: 'string' } },
      ],
    },
    { a: 7, b: '' },
  ],
])('without data %j is %j', (raw, wanted) => {
  expect(defaultValue(define(raw))).toEqual(wanted)
})

test.each([
  ['text', 'text'],
  [1.5, '1.5'],
  [true, 'true'],
  [{ a: 1 }, '{"a":1}'],
  [[1, 2], '[1,2]'],
  [undefined, ''],
])('the text of %j is %j', (given, wanted) => expect(valueText(given)).toBe(wanted))
