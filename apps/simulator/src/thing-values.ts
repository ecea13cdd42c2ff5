/** What a virtual thing measures, and what it was told to keep. */
import type { Param } from '@ithings/contract/thing-model/define.ts'
import type { CompiledModel } from './compiled-model.ts'
import type { SimulateOptions } from './options.ts'
import type { Random } from './random.ts'
import { makeValueSource, type ValueSource } from './value-source.ts'

export interface ThingValues {
  /** Empty arrays are left out: the platform takes them for "not reported" (thing-model.md 4). */
  measure(time: number, identifiers?: readonly string[]): Record<string, unknown>
  /** From now on it has this value, whatever its curve says. */
  keep(identifier: string, value: unknown): void
  /** Parameters of an event or outputs of an action. */
  invent(owner: string, params: readonly Param[], time: number): Record<string, unknown>
}

export function makeThingValues(
  { model, properties }: CompiledModel,
  random: Random,
  curves: SimulateOptions['curves'] = {},
): ThingValues {
  const sources = new Map(
    model.properties.map(({ identifier, name, define }) => [
      identifier,
      makeValueSource(define, { identifier, name }, random.fork(identifier), curves[identifier]),
    ]),
  )
  const invented = new Map<string, ValueSource>()
  const kept = new Map<string, unknown>()

  const sourceOf = (owner: string, { identifier, name, define }: Param): ValueSource => {
    const key = `${owner}.${identifier}`
    const source = invented.get(key) ?? makeValueSource(define, { identifier, name }, random.fork(key))
    invented.set(key, source)
    return source
  }

  return {
    measure(time, identifiers) {
      const known = identifiers?.filter((identifier) => properties.has(identifier)) ?? []
      const values: Record<string, unknown> = {}
      for (const identifier of known.length > 0 ? known : properties.keys()) {
        const value = kept.has(identifier) ? kept.get(identifier) : sources.get(identifier)?.(time)
        if (!Array.isArray(value) || value.length > 0) values[identifier] = value
      }
      return values
    },
    keep: (identifier, value) => void kept.set(identifier, value),
    invent: (owner, params, time) =>
      Object.fromEntries(params.map((param) => [param.identifier, sourceOf(owner, param)(time)])),
  }
}
