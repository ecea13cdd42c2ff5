import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  dropNulls,
  filterText,
  id,
  int,
  oneOf,
  optionalEnum,
  strInt,
  text,
  toSeconds,
  toSecondsStr,
  toStr,
} from './wire.ts'

const Colour = { red: 1, blue: 2 } as const

describe('numbers', () => {
  test('an integer and its decimal text are the same input', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), (value) => {
        expect(int().parse(value)).toBe(value)
        expect(int().parse(String(value))).toBe(value)
      }),
    )
  })

  test('a number outside its bounds is refused in both spellings', () => {
    fc.assert(
      fc.property(fc.integer(), (value) => {
        const inside = value >= 1 && value <= 100
        expect(int(1, 100).safeParse(value).success).toBe(inside)
        expect(int(1, 100).safeParse(String(value)).success).toBe(inside)
      }),
    )
  })

  test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, '1.5', '', ' 1', '0x10', '1e3', true, null, [], {}])(
    '%j is no integer',
    (value) => {
      expect(int().safeParse(value).success).toBe(false)
    },
  )

  test('text of more digits than a number holds exactly is refused instead of rounded', () => {
    expect(int().safeParse('9007199254740993').success).toBe(false)
  })

  test('a row id is positive', () => {
    expect(id().parse('7')).toBe(7)
    expect(id().safeParse(0).success).toBe(false)
    expect(id().safeParse('-1').success).toBe(false)
  })

  test('an id answered as text parses back to the same id', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (value) => {
        expect(strInt.parse(toStr(value))).toBe(String(value))
        expect(id().parse(toStr(value))).toBe(value)
      }),
    )
  })

  test('a 64-bit id keeps all its digits as text', () => {
    expect(toStr(9_007_199_254_740_993n)).toBe('9007199254740993')
  })
})

describe('enumerations', () => {
  test('a required value is taken as number or digit text and nothing else', () => {
    expect(oneOf(Colour).parse(1)).toBe(1)
    expect(oneOf(Colour).parse('2')).toBe(2)
    for (const bad of [0, 3, '', '0', 'red', undefined]) expect(oneOf(Colour).safeParse(bad).success).toBe(false)
  })

  test('0, empty text and nothing mean that an optional value is not given', () => {
    for (const absent of [0, '0', '', undefined]) expect(optionalEnum(Colour).parse(absent)).toBeUndefined()
  })

  test('an optional value that is given must be one of the enumeration', () => {
    expect(optionalEnum(Colour).parse('1')).toBe(1)
    expect(optionalEnum(Colour).parse(2)).toBe(2)
    for (const bad of [3, '3', -1, 'red']) expect(optionalEnum(Colour).safeParse(bad).success).toBe(false)
  })
})

describe('text', () => {
  test('surrounding blanks do not count towards the length', () => {
    expect(text(3, 1).parse('  abc ')).toBe('abc')
    expect(text(3, 1).safeParse('   ').success).toBe(false)
    expect(text(3, 1).safeParse('abcd').success).toBe(false)
  })

  test('an empty filter is no filter', () => {
    expect(filterText().parse('   ')).toBeUndefined()
    expect(filterText().parse(undefined)).toBeUndefined()
    expect(filterText().parse(' 泵 ')).toBe('泵')
    expect(filterText(4).safeParse('abcde').success).toBe(false)
  })
})

describe('times', () => {
  test('a time travels as whole unix seconds, a missing one as 0', () => {
    expect(toSeconds(new Date(1_700_000_000_999))).toBe(1_700_000_000)
    expect(toSecondsStr(new Date(1_700_000_000_000))).toBe('1700000000')
    for (const none of [null, undefined]) {
      expect(toSeconds(none)).toBe(0)
      expect(toSecondsStr(none)).toBe('0')
    }
  })
})

describe('null', () => {
  test('null members count as absent at any depth and items of lists keep their place', () => {
    expect(dropNulls({ a: null, b: { c: null, d: [1, null, { e: null, f: 0 }] }, g: '' })).toEqual({
      b: { d: [1, null, { f: 0 }] },
      g: '',
    })
  })

  test('a member of the name __proto__ is a member and gives the object no others', () => {
    const dropped = dropNulls(JSON.parse('{"__proto__":{"isAdmin":1}}')) as { isAdmin?: number }
    expect(Object.keys(dropped)).toEqual(['__proto__'])
    expect(dropped.isAdmin).toBeUndefined()
  })

  test('a value without null comes back unchanged', () => {
    const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('null'))
    fc.assert(
      fc.property(json, (value) => {
        expect(dropNulls(value)).toEqual(value)
      }),
    )
  })
})
