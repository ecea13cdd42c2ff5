import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DataType } from '../thing-model/define.ts'
import { compileTerm, readTermValue, type TermType, termsOfType, termTypes, termValueCount } from './terms.ts'

/** [type, term, wanted values, values that match, values that do not] */
type Row = [DataType, TermType, string[], unknown[], unknown[]]

const truth: Row[] = [
  ['int', 'eq', ['30'], [30], [29, 31, '30', true, null, undefined]],
  ['int', 'not', ['30'], [29, 31], [30, '29', undefined]],
  ['int', 'gt', ['30'], [31, 1000], [30, 29, -31, '31']],
  ['int', 'gte', ['30'], [30, 31], [29]],
  ['int', 'lt', ['30'], [29, -30], [30, 31]],
  ['int', 'lte', ['30'], [30, 29], [31]],
  ['int', 'btw', ['10', '20'], [10, 15, 20], [9, 21]],
  ['int', 'in', ['1', '3', '5'], [1, 3, 5], [0, 2, 4, '1']],
  ['float', 'eq', ['1.5'], [1.5], [1, 2, 1.49999]],
  ['float', 'not', ['1.5'], [1, 1.4], [1.5]],
  ['float', 'gt', ['-0.5'], [0, 0.1], [-0.5, -1]],
  ['float', 'gte', ['1e3'], [1000, 1000.5], [999.9]],
  ['float', 'lt', ['0.3'], [0.1, -5], [0.3, 0.30000000000000004]],
  ['float', 'lte', ['0.3'], [0.3], [0.30000000000000004]],
  ['float', 'btw', ['-1.5', '1.5'], [-1.5, 0, 1.5], [1.6, -1.6]],
  ['float', 'in', ['0.5', '1'], [0.5, 1], [0.75]],
  ['timestamp', 'eq', ['1700000000000'], [1_700_000_000_000], [1_700_000_000]],
  ['timestamp', 'not', ['0'], [1], [0]],
  ['timestamp', 'gt', ['100'], [101], [100]],
  ['timestamp', 'gte', ['100'], [100], [99]],
  ['timestamp', 'lt', ['100'], [99], [100]],
  ['timestamp', 'lte', ['100'], [100], [101]],
  ['timestamp', 'btw', ['1', '3'], [1, 2, 3], [0, 4]],
  ['timestamp', 'in', ['1', '2'], [2], [3]],
  ['enum', 'eq', ['2'], [2], [1, '2', '开']],
  ['enum', 'not', ['2'], [1], [2]],
  ['enum', 'gt', ['1'], [2], [1]],
  ['enum', 'gte', ['1'], [1, 2], [0]],
  ['enum', 'lt', ['1'], [0], [1]],
  ['enum', 'lte', ['1'], [1], [2]],
  ['enum', 'btw', ['0', '1'], [0, 1], [2, -1]],
  ['enum', 'in', ['0', '2'], [0, 2], [1]],
  ['bool', 'eq', ['true'], [true], [false, 1, 'true']],
  ['bool', 'eq', ['0'], [false], [true, 0]],
  ['bool', 'not', ['1'], [false], [true, 0]],
  ['bool', 'gt', ['false'], [true], [false]],
  ['bool', 'gte', ['false'], [true, false], [1]],
  ['bool', 'lt', ['true'], [false], [true]],
  ['bool', 'lte', ['false'], [false], [true]],
  ['bool', 'btw', ['false', 'true'], [true, false], [0]],
  ['bool', 'in', ['true', 'false'], [true, false], [1, 'true']],
  ['string', 'eq', ['10'], ['10'], [10, '9', ' 10', '']],
  ['string', 'not', ['a'], ['b', ''], ['a', 1]],
  ['string', 'gt', ['b'], ['c'], ['b', 'a']],
  ['string', 'gte', ['b'], ['b', 'c'], ['a']],
  ['string', 'lt', ['b'], ['a'], ['b', 'c']],
  ['string', 'lte', ['b'], ['a', 'b'], ['c']],
  ['string', 'btw', ['b', 'd'], ['b', 'c', 'd'], ['a', 'e']],
  ['string', 'in', ['停', '开'], ['停', '开'], ['关', '']],
]

describe('truth of every operator by every type', () => {
  test.each(truth)('%s %s %j', (type, term, wanted, matching, failing) => {
    const test = compileTerm(type, term, wanted)
    for (const value of matching) expect([value, test?.(value)]).toEqual([value, true])
    for (const value of failing) expect([value, test?.(value)]).toEqual([value, false])
  })

  test('the table leaves no operator of a comparable type out', () => {
    const comparable = Object.values(DataType).filter((type) => type !== 'struct' && type !== 'array')
    const seen = new Set(truth.map(([type, term]) => `${type} ${term}`))
    for (const type of comparable) for (const term of termTypes) expect(seen).toContain(`${type} ${term}`)
  })

  test.each(termTypes)('%s compares neither structs nor lists', (term) => {
    const wanted = Array.from({ length: termValueCount[term][0] }, () => '1')
    expect(compileTerm('struct', term, wanted)).toBeUndefined()
    expect(compileTerm('array', term, wanted)).toBeUndefined()
    expect(termsOfType.struct).toEqual([])
  })
})

describe('values that do not fit', () => {
  test.each<[DataType, string]>([
    ['int', 'abc'],
    ['int', ''],
    ['int', ' '],
    ['int', '1.5'],
    ['int', 'Infinity'],
    ['int', 'NaN'],
    ['enum', '开'],
    ['timestamp', '2026-01-01'],
    ['float', 'x'],
    ['bool', 'yes'],
    ['bool', ''],
  ])('of %s: %j makes no term', (type, value) => {
    expect(readTermValue(type, value)).toBeUndefined()
    expect(compileTerm(type, 'eq', [value])).toBeUndefined()
  })

  test.each<[TermType, number]>([
    ['eq', 0],
    ['eq', 2],
    ['btw', 1],
    ['btw', 3],
    ['in', 0],
    ['in', 101],
  ])('%s with %i values makes no term', (term, count) => {
    const values = Array.from({ length: count }, (_, n) => String(n))
    expect(compileTerm('int', term, values)).toBeUndefined()
  })

  test('the list of `in` is not held to two values (rules.md 3)', () => {
    for (const count of [1, 3, 100]) {
      const values = Array.from({ length: count }, (_, n) => String(n))
      expect(compileTerm('int', 'in', values)?.(count - 1)).toBe(true)
    }
  })
})

describe('laws', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  const is = (term: TermType, wanted: number[], seen: number) => compileTerm('float', term, wanted.map(String))?.(seen)

  test('what is greater is neither equal nor less, and the others are the opposites', () => {
    return fc.assert(
      fc.property(number, number, (seen, wanted) => {
        const [gt, lt, eq] = [is('gt', [wanted], seen), is('lt', [wanted], seen), is('eq', [wanted], seen)]
        expect([gt, lt, eq].filter(Boolean)).toHaveLength(1)
        expect(is('gte', [wanted], seen)).toBe(!lt)
        expect(is('lte', [wanted], seen)).toBe(!gt)
        expect(is('not', [wanted], seen)).toBe(!eq)
      }),
    )
  })

  test('between is at least the one and at most the other', () => {
    return fc.assert(
      fc.property(number, number, number, (seen, a, b) => {
        expect(is('btw', [a, b], seen)).toBe(is('gte', [a], seen) && is('lte', [b], seen))
      }),
    )
  })

  test('a value of another shape never matches, not even "not"', () => {
    const anything = fc.anything().filter((value) => typeof value !== 'number')
    return fc.assert(
      fc.property(anything, fc.constantFrom(...termTypes), (value, term) => {
        const wanted = Array.from({ length: termValueCount[term][0] }, () => '1')
        expect(compileTerm('float', term, wanted)?.(value)).toBe(false)
      }),
    )
  })
})
