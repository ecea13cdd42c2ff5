/** Random raw definitions and models for property-based tests: valid ones, in every spelling that is accepted. */
import * as fc from 'fast-check'
import { DataType, type RawDefine } from '../define.ts'
import type { RawModel } from '../model.ts'

const letters = fc.constantFrom(...'abcxyzABCXYZ')
const identifierParts = fc.constantFrom(...'abcXYZ0189_')
export const identifiers = fc
  .tuple(letters, fc.string({ unit: identifierParts, maxLength: 11 }))
  .map((parts) => parts.join(''))
const names = fc.string({ unit: fc.constantFrom(...'水泵站温度压力A1_'), minLength: 1, maxLength: 12 })

const range = (bound: fc.Arbitrary<number>) =>
  fc.tuple(bound, bound).map(([one, other]) => ({ min: Math.min(one, other), max: Math.max(one, other) }))

const intDefine: fc.Arbitrary<RawDefine> = fc
  .record({
    range: range(fc.integer({ min: -1_000_000, max: 1_000_000 })),
    start: fc.option(fc.integer(), { nil: undefined }),
    step: fc.option(fc.integer({ min: -3, max: 50 }), { nil: undefined }),
    unit: fc.constantFrom(undefined, '', '℃', 'kW·h'),
  })
  .map(({ range: { min, max }, start, step, unit }) => ({
    type: DataType.int,
    min: String(min),
    max: String(max),
    start: start === undefined ? '' : String(start),
    ...(step === undefined ? {} : { step: String(step) }),
    unit,
  }))

const floats = fc.double({ min: -1e9, max: 1e9, noNaN: true })
const floatDefine: fc.Arbitrary<RawDefine> = fc
  .record({ range: range(floats), step: fc.constantFrom(undefined, '0', '0.001', '0.1', '0.25', '1', '1e-7', '3') })
  .map(({ range: { min, max }, step }) => ({
    type: DataType.float,
    min: String(min),
    max: String(max),
    ...(step === undefined ? {} : { step }),
  }))

const stringDefine = fc
  .option(fc.integer({ min: 1, max: 5000 }), { nil: undefined })
  .map((max): RawDefine => ({ type: DataType.string, ...(max === undefined ? {} : { max: String(max) }) }))

const boolDefine = fc
  .tuple(names, names)
  .map(([off, on]): RawDefine => ({ type: DataType.bool, mapping: { 0: off, 1: on } }))

const enumDefine = fc.uniqueArray(fc.integer({ min: -999, max: 9999 }), { minLength: 1, maxLength: 8 }).map(
  (keys): RawDefine => ({
    type: DataType.enum,
    mapping: Object.fromEntries(keys.map((key) => [String(key), `值${key}`])),
  }),
)

const timestampDefine = fc.constant<RawDefine>({ type: DataType.timestamp })

export const scalarDefines = fc.oneof(intDefine, floatDefine, stringDefine, boolDefine, enumDefine, timestampDefine)

/** All eight types, structs and arrays nested as far as is allowed. */
export function rawDefines(levels = 3): fc.Arbitrary<RawDefine> {
  if (levels <= 1) return scalarDefines
  const inner = rawDefines(levels - 1)
  const specs = fc.uniqueArray(fc.record({ identifier: identifiers, name: names, dataType: inner }), {
    selector: (spec) => spec.identifier,
    minLength: 1,
    maxLength: 4,
  })
  return fc.oneof(
    { weight: 6, arbitrary: scalarDefines },
    { weight: 2, arbitrary: specs.map((members): RawDefine => ({ type: DataType.struct, specs: members })) },
    { weight: 2, arbitrary: inner.map((arrayInfo): RawDefine => ({ type: DataType.array, arrayInfo })) },
  )
}

const params = fc.uniqueArray(fc.record({ identifier: identifiers, name: names, define: rawDefines(2) }), {
  selector: (param) => param.identifier,
  maxLength: 3,
})
const common = { name: names, desc: fc.string({ maxLength: 20 }), required: fc.boolean() }

export const rawModels: fc.Arbitrary<RawModel> = fc
  .uniqueArray(identifiers, { minLength: 1, maxLength: 9 })
  .chain((ids) => {
    const cut = (from: number, to: number) => ids.slice(Math.floor(ids.length * from), Math.floor(ids.length * to))
    const each = <T>(list: string[], make: (identifier: string) => fc.Arbitrary<T>) => fc.tuple(...list.map(make))
    return fc.record({
      properties: each(cut(0, 0.6), (identifier) =>
        fc.record({
          identifier: fc.constant(identifier),
          ...common,
          mode: fc.constantFrom('r' as const, 'rw' as const),
          define: rawDefines(),
          isUseShadow: fc.boolean(),
          isNoRecord: fc.boolean(),
        }),
      ),
      events: each(cut(0.6, 0.8), (identifier) =>
        fc.record({
          identifier: fc.constant(identifier),
          ...common,
          type: fc.constantFrom('info' as const, 'alert' as const, 'fault' as const),
          params,
        }),
      ),
      actions: each(cut(0.8, 1), (identifier) =>
        fc.record({
          identifier: fc.constant(identifier),
          ...common,
          dir: fc.constantFrom('up' as const, 'down' as const),
          input: params,
          output: params,
        }),
      ),
    })
  })
