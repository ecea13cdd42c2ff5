import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rawDefine } from './define.ts'
import type { ModelIssue } from './model-issue.ts'
import { normaliseDefine } from './normalise-define.ts'
import { rawDefines } from './testing/model-arbitraries.ts'

/** As a document or a form gives it: read, then brought into its stored form. */
function normalise(raw: unknown) {
  const issues: ModelIssue[] = []
  const parsed = rawDefine.safeParse(raw)
  if (!parsed.success) return { define: undefined, paths: parsed.error.issues.map((issue) => issue.path.join('.')) }
  const define = normaliseDefine(parsed.data, '', (issue) => issues.push(issue))
  return { define, paths: issues.map((issue) => issue.path), texts: issues.map((issue) => issue.text) }
}
const stored = (raw: unknown) => {
  const { define, paths } = normalise(raw)
  expect(paths).toEqual([])
  return define
}

describe('numbers', () => {
  test.each([
    ['empty limits become the widest ones', {}, { min: '-9999999999999', max: '9999999999999', start: '0', step: '1' }],
    [
      'limits beyond the widest are clamped',
      { min: '-1e20', max: '1e20' },
      { min: '-9999999999999', max: '9999999999999' },
    ],
    ['numbers are compared as numbers, not as texts', { min: '9', max: '10' }, { min: '9', max: '10' }],
    ['JSON numbers are taken for texts', { min: 1, max: 100, step: 5 }, { min: '1', max: '100', step: '5' }],
    ['a start below the range moves to its edge', { min: '5', max: '9', start: '0' }, { start: '5' }],
    ['a start above the range moves to its edge', { min: '5', max: '9', start: '70' }, { start: '9' }],
    ['a step above max becomes max', { min: '0', max: '9', step: '20' }, { step: '9' }],
    ['a step below 1 becomes 1', { min: '0', max: '9', step: '-4' }, { step: '1' }],
    ['a max of nothing leaves the step alone', { min: '-9', max: '0', step: '2' }, { step: '2' }],
    ['blanks around the unit go', { unit: ' ℃ ' }, { unit: '℃' }],
  ])('int: %s', (_name, given, wanted) => {
    expect(stored({ type: 'int', ...given })).toMatchObject(wanted)
  })

  test.each([
    ['a step of 0 becomes 1', { min: '0', max: '9', step: '0' }, { step: '1' }],
    ['a small step stays', { min: '0', max: '0.5', step: '0.001' }, { step: '0.001' }],
    ['a step above max becomes max', { min: '0', max: '0.5', step: '1' }, { step: '0.5' }],
    ['fractions stay', { min: '-0.5', max: '1.25', start: '0.75' }, { min: '-0.5', max: '1.25', start: '0.75' }],
  ])('float: %s', (_name, given, wanted) => {
    expect(stored({ type: 'float', ...given })).toMatchObject(wanted)
  })

  test('a float without a step has none, an int without one counts by 1; an empty unit is left out', () => {
    expect(stored({ type: 'float', min: '0', max: '1', unit: '' })).toEqual({
      type: 'float',
      min: '0',
      max: '1',
      start: '0',
    })
    expect(stored({ type: 'int', min: '0', max: '1', step: '' })).toMatchObject({ step: '1' })
  })

  test.each([
    ['max below min', { type: 'int', min: '10', max: '9' }, 'max'],
    ['max below min of a float', { type: 'float', min: '0.2', max: '0.1' }, 'max'],
    ['a min that is no number', { type: 'int', min: 'low' }, 'min'],
    ['a fraction as limit of an int', { type: 'int', max: '1.5' }, 'max'],
    ['a start that is no number', { type: 'float', start: '1,5' }, 'start'],
    ['a step that is no number', { type: 'float', step: 'x' }, 'step'],
    ['hexadecimal text', { type: 'int', max: '0x10' }, 'max'],
    ['an infinite limit', { type: 'float', max: 'Infinity' }, 'max'],
    ['a unit of more than 12 characters', { type: 'int', unit: '一二三四五六七八九十甲乙丙' }, 'unit'],
  ])('%s is refused', (_name, given, path) => {
    expect(normalise(given).paths).toEqual([path])
  })

  test('the refusal names the values', () => {
    expect(normalise({ type: 'int', min: '10', max: '9' }).texts).toEqual(['最大值 9 小于最小值 10'])
  })
})

describe('string', () => {
  test.each([
    [undefined, '2048'],
    ['', '2048'],
    ['16', '16'],
    [32, '32'],
    ['4096', '2048'],
  ])('a max of %j is stored as %j, min is dropped', (max, wanted) => {
    expect(stored({ type: 'string', min: '1', ...(max === undefined ? {} : { max }) })).toEqual({
      type: 'string',
      max: wanted,
    })
  })
  test.each(['0', '-1', 'x', '2.5'])('a max of %j is refused', (max) => {
    expect(normalise({ type: 'string', max }).paths).toEqual(['max'])
  })
})

describe('bool and enum', () => {
  test('a bool has exactly the keys 0 and 1', () => {
    expect(stored({ type: 'bool', mapping: { 0: ' 关 ', 1: '开' } })).toEqual({
      type: 'bool',
      mapping: { 0: '关', 1: '开' },
    })
    for (const mapping of [undefined, {}, { 0: '关' }, { 1: '开', 2: '坏' }, { 0: '关', 1: '开', 2: '坏' }]) {
      expect(normalise({ type: 'bool', mapping }).paths).toEqual(['mapping'])
    }
  })

  test('an enum has at least one key, all of them integers, in the order of the numbers', () => {
    const define = stored({ type: 'enum', mapping: { 10: '丙', '-1': '甲', 2: 5 } })
    expect(define).toEqual({ type: 'enum', mapping: { '-1': '甲', 2: '5', 10: '丙' } })
    expect(normalise({ type: 'enum' }).paths).toEqual(['mapping'])
    expect(normalise({ type: 'enum', mapping: {} }).paths).toEqual(['mapping'])
    for (const key of ['a', '1.5', '01', '-0', ' 1', '12345678901']) {
      expect(normalise({ type: 'enum', mapping: { [key]: 'x' } }).paths).toEqual([`mapping.${key}`])
    }
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, key) => [key, '值']))
    expect(normalise({ type: 'enum', mapping: many }).paths).toEqual(['mapping'])
  })

  test('a label has 1 to 20 characters, however many bytes', () => {
    expect(stored({ type: 'enum', mapping: { 0: '二'.repeat(20) } })).toBeDefined()
    expect(normalise({ type: 'enum', mapping: { 0: '二'.repeat(21) } }).paths).toEqual(['mapping.0'])
    expect(normalise({ type: 'bool', mapping: { 0: ' ', 1: '开' } }).paths).toEqual(['mapping.0'])
  })
})

describe('struct and array', () => {
  const spec = (identifier: string, dataType: unknown = { type: 'timestamp' }) => ({
    identifier,
    name: '成员',
    dataType,
  })

  test('members keep their order; their type stands under dataType', () => {
    expect(stored({ type: 'struct', specs: [spec('b'), spec('a', { type: 'string', max: 8 })] })).toEqual({
      type: 'struct',
      specs: [
        { identifier: 'b', name: '成员', dataType: { type: 'timestamp' } },
        { identifier: 'a', name: '成员', dataType: { type: 'string', max: '8' } },
      ],
    })
  })

  test.each([
    ['no member', [], ['specs']],
    ['more than 10 members', Array.from({ length: 11 }, (_, i) => spec(`m${i}`)), ['specs']],
    ['the same member twice', [spec('a'), spec('a')], ['specs.a']],
    ['a member that starts with a digit', [spec('1a')], ['specs.1a.identifier']],
    ['a member called __proto__', [spec('__proto__')], ['specs.__proto__.identifier']],
    ['a member without a name', [{ ...spec('a'), name: ' ' }], ['specs.a.name']],
    ['a name of more than 64 characters', [{ ...spec('a'), name: '名'.repeat(65) }], ['specs.a.name']],
    ['a fault inside of a member', [spec('a', { type: 'int', min: 'x' })], ['specs.a.dataType.min']],
  ])('%s is refused', (_name, specs, paths) => {
    expect(normalise({ type: 'struct', specs }).paths).toEqual(paths)
  })

  test('an array needs the type of its elements', () => {
    expect(stored({ type: 'array', arrayInfo: { type: 'int', min: '0', max: '3' } })).toMatchObject({
      arrayInfo: { type: 'int', max: '3' },
    })
    expect(normalise({ type: 'array' }).paths).toEqual(['arrayInfo'])
    expect(normalise({ type: 'array', arrayInfo: {} }).paths).toEqual(['arrayInfo.type'])
    expect(normalise({ type: 'array', arrayInfo: { type: 'list' } }).paths).toEqual(['arrayInfo.type'])
    expect(normalise({ type: 'array', arrayInfo: { type: 'int', max: 'x' } }).paths).toEqual(['arrayInfo.max'])
  })

  test('five levels are allowed, six are not', () => {
    const nested = (levels: number): unknown =>
      levels === 1 ? { type: 'timestamp' } : { type: 'array', arrayInfo: nested(levels - 1) }
    expect(stored(nested(5))).toBeDefined()
    expect(normalise(nested(6)).paths).toEqual(['arrayInfo.arrayInfo.arrayInfo.arrayInfo.arrayInfo'])
  })
})

describe('foreign keys', () => {
  /** The superset that existing consoles send for all three types (thing-model.md 3). */
  const leftovers = {
    arrayInfo: {},
    specs: [''],
    elementType: 'int',
    dataDefinitionForEnum: [{ label: '0', value: 'x' }],
    numericalRange: { min: '1', max: '100' },
    mapping: { 0: '关', 1: '开' },
    max: '100',
    min: '1',
    start: '0',
    step: '1',
    unit: '',
  }
  test.each([
    [{ type: 'bool' }, { type: 'bool', mapping: { 0: '关', 1: '开' } }],
    [{ type: 'int' }, { type: 'int', min: '1', max: '100', start: '1', step: '1' }],
    [{ type: 'string' }, { type: 'string', max: '100' }],
    [{ type: 'timestamp' }, { type: 'timestamp' }],
    [
      { type: 'array', arrayInfo: { ...leftovers, type: 'string' } },
      { type: 'array', arrayInfo: { type: 'string', max: '100' } },
    ],
  ])('%j keeps only what belongs to it', (given, wanted) => {
    expect(stored({ ...leftovers, ...given })).toEqual(wanted)
  })

  test('an unknown type is refused', () => {
    expect(normalise({ ...leftovers, type: 'double' }).paths).toEqual(['type'])
    expect(normalise({ ...leftovers, type: '' }).paths).toEqual(['type'])
  })
})

test('what is in its stored form stays as it is', async () => {
  await fc.assert(
    fc.property(rawDefines(), (raw) => {
      const once = stored(raw)
      expect(stored(once)).toEqual(once)
      expect(JSON.stringify(stored(once))).toBe(JSON.stringify(once))
    }),
  )
})
