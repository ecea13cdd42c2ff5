/** The value rules for whatever definition and value there may be (thing-model.md 4, decisions.md 2 "Step of a number"). */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DataType, type Define, type RawDefine } from './define.ts'
import { stepTolerance } from './limits.ts'
import { normaliseDefine } from './normalise-define.ts'
import { rawDefines } from './testing/model-arbitraries.ts'
import { compileDefine, defaultValue, type ValueUse } from './values.ts'

const stored = (raw: RawDefine): Define =>
  normaliseDefine(raw, '', (issue) => {
    throw new Error(issue.text)
  })
const defines = rawDefines().map(stored)
const uses = fc.constantFrom<ValueUse>('report', 'command')

const characters = fc.constantFrom('a', 'é', '水', '😀', '"', '\\', '\n')

/** A value inside of the limits; multiples of the step for commands. */
function inside(define: Define, use: ValueUse): fc.Arbitrary<unknown> {
  const min = Number(define.min)
  const max = Number(define.max)
  const step = Number(define.step ?? 0)
  switch (define.type) {
    case DataType.bool:
      return fc.constantFrom<unknown>(true, false, 0, 1, '0', '1')
    case DataType.int:
    case DataType.float: {
      const whole = define.type === DataType.int
      if (use === 'report' || step <= stepTolerance)
        return whole ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true })
      const [low, high] = [Math.ceil(min / step), Math.floor(max / step)]
      return fc.nat(1e6).map((seed) => {
        const number = (low + (seed % (high - low + 1))) * step
        return number >= min && number <= max ? number : undefined
      })
    }
    case DataType.string:
      // A character has at most four bytes.
      return fc.string({ unit: characters, maxLength: Math.min(40, Math.floor(Number(define.max) / 4)) })
    case DataType.enum:
      return fc.constantFrom(...Object.keys(define.mapping ?? {}).map(Number))
    case DataType.timestamp:
      return fc.maxSafeInteger()
    case DataType.struct:
      return fc.record(
        Object.fromEntries((define.specs ?? []).map((spec) => [spec.identifier, inside(spec.dataType, use)])),
        { requiredKeys: [] },
      )
    case DataType.array:
      return define.arrayInfo ? fc.array(inside(define.arrayInfo, use), { maxLength: 4 }) : fc.constant([])
  }
}

/** A range without a multiple of its step has no value for commands: undefined stands for it. */
const complete = (value: unknown): boolean =>
  value !== undefined && (typeof value !== 'object' || value === null || Object.values(value).every(complete))

const fitting = fc
  .tuple(defines, uses)
  .chain(([define, use]) =>
    fc.record({ define: fc.constant(define), use: fc.constant(use), value: inside(define, use) }),
  )

test('a value inside of the limits is taken, and coerced again stays as it is', async () => {
  await fc.assert(
    fc.property(fitting, ({ define, use, value }) => {
      fc.pre(complete(value))
      const coerce = compileDefine(define, use)
      const once = coerce(value, 'v')
      if (!once.ok) throw new Error(once.fault.text)
      expect(coerce(once.value, 'v')).toEqual(once)
      // What a command sends, the device may report.
      expect(compileDefine(define, 'report')(once.value, 'v')).toEqual(once)
    }),
    { numRuns: 150 },
  )
})

test('a value survives the way over the wire', async () => {
  await fc.assert(
    fc.property(fitting, ({ define, value }) => {
      fc.pre(complete(value))
      const once = compileDefine(define, 'report')(value, 'v')
      if (!once.ok) throw new Error(once.fault.text)
      const wire = JSON.parse(JSON.stringify(once.value))
      expect(JSON.stringify(compileDefine(define, 'report')(wire, 'v'))).toBe(JSON.stringify(once))
    }),
  )
})

test('whatever is sent, coercion answers and never throws; what it takes fits', async () => {
  await fc.assert(
    fc.property(defines, uses, fc.anything({ withNullPrototype: true }), (define, use, value) => {
      const coerce = compileDefine(define, use)
      const result = coerce(value, 'v')
      if (result.ok) expect(coerce(result.value, 'v')).toEqual(result)
      else expect([100006, 100015]).toContain(result.fault.code)
    }),
    { numRuns: 150 },
  )
})

test('the default of a definition fits it', async () => {
  await fc.assert(
    fc.property(defines, (define) => {
      expect(compileDefine(define, 'report')(defaultValue(define), 'v')).toMatchObject({ ok: true })
    }),
  )
})

describe('outside of the limits', () => {
  const numbers = fc
    .tuple(fc.constantFrom('int', 'float'), fc.integer({ min: -1e6, max: 1e6 }), fc.nat(1e6), uses)
    .map(([type, min, size, use]) => ({ type, min, max: min + size, use }))

  test('every number is refused with 100015', async () => {
    await fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 1e6 }), ({ type, min, max, use }, beyond) => {
        const define = stored({ type: type as 'int' | 'float', min: String(min), max: String(max), step: '1' })
        for (const value of [min - beyond, max + beyond, String(max + beyond)]) {
          expect(compileDefine(define, use)(value, 'v')).toMatchObject({ ok: false, fault: { code: 100015 } })
        }
      }),
    )
  })

  test('every longer text is refused with 100015', async () => {
    await fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.string({ unit: 'grapheme', minLength: 51 }), (max, text) => {
        const define = stored({ type: 'string', max: String(max) })
        expect(compileDefine(define, 'report')(text, 'v')).toMatchObject({ ok: false, fault: { code: 100015 } })
      }),
    )
  })

  test('every number that is no key of an enumeration is refused with 100015', async () => {
    await fc.assert(
      fc.property(fc.uniqueArray(fc.nat(20), { minLength: 1 }), fc.integer({ min: -50, max: 50 }), (keys, value) => {
        const define = stored({ type: 'enum', mapping: Object.fromEntries(keys.map((key) => [String(key), '值'])) })
        expect(compileDefine(define, 'report')(value, 'v').ok).toBe(keys.includes(value))
      }),
    )
  })
})

describe('the step', () => {
  const steps = fc.constantFrom('0.001', '0.01', '0.05', '0.1', '0.25', '0.3', '1', '7')
  const define = (step: string) => stored({ type: 'float', min: '-100000', max: '100000', step })
  const counts = fc.integer({ min: -10_000, max: 10_000 })

  test('a command that is a multiple within 1e-9 is sent on as that multiple', async () => {
    await fc.assert(
      fc.property(steps, counts, fc.double({ min: -9e-10, max: 9e-10, noNaN: true }), (step, count, noise) => {
        const exact = Number((count * Number(step)).toFixed(3))
        expect(compileDefine(define(step), 'command')(exact + noise, 'v')).toEqual({ ok: true, value: exact + 0 })
      }),
    )
  })

  test('a command between two multiples is refused, the same report is stored as sent', async () => {
    const between = fc.double({ min: 0.01, max: 0.99, noNaN: true })
    await fc.assert(
      fc.property(steps, counts, between, (step, count, part) => {
        const value = (count + part) * Number(step)
        expect(compileDefine(define(step), 'command')(value, 'v')).toMatchObject({ ok: false, fault: { code: 100015 } })
        expect(compileDefine(define(step), 'report')(value, 'v')).toEqual({ ok: true, value })
      }),
    )
  })
})
