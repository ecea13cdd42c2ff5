/** A thing model made ready for the hot path: one function a value, looked up by identifier. */

import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import type { Param } from '@ithings/contract/thing-model/define.ts'
import type { Action, ModelEvent, Property, ThingModel } from '@ithings/contract/thing-model/model.ts'
import { type Coerce, compileDefine, faultText, type ValueUse } from '@ithings/contract/thing-model/values.ts'

export interface CompiledProperty {
  property: Property
  /** As devices report it. */
  report: Coerce
  /** As people command it: steps count. */
  command: Coerce
}

export type CompiledParams = ReadonlyMap<string, Coerce>

export interface CompiledModel {
  model: ThingModel
  properties: ReadonlyMap<string, CompiledProperty>
  events: ReadonlyMap<string, { event: ModelEvent; params: CompiledParams }>
  actions: ReadonlyMap<string, { action: Action; input: CompiledParams; output: CompiledParams }>
}

const compileParams = (params: Param[], use: ValueUse): CompiledParams =>
  new Map(params.map(({ identifier, define }) => [identifier, compileDefine(define, use)]))

export function compileModel(model: ThingModel): CompiledModel {
  return {
    model,
    properties: new Map(
      model.properties.map((property) => [
        property.identifier,
        {
          property,
          report: compileDefine(property.define, 'report'),
          command: compileDefine(property.define, 'command'),
        },
      ]),
    ),
    events: new Map(
      model.events.map((event) => [event.identifier, { event, params: compileParams(event.params, 'report') }]),
    ),
    actions: new Map(
      model.actions.map((action) => {
        const [input, output] =
          action.dir === 'down' ? (['command', 'report'] as const) : (['report', 'command'] as const)
        return [
          action.identifier,
          { action, input: compileParams(action.input, input), output: compileParams(action.output, output) },
        ]
      }),
    ),
  }
}

/** Parameters of an event or action (thing-model.md 4): each declared one must be there; unknown ones are dropped. */
export function coerceParams(params: CompiledParams, given: Record<string, unknown>, place: string) {
  const values: Record<string, unknown> = {}
  for (const [identifier, coerce] of params) {
    if (!Object.hasOwn(given, identifier)) throw refusal(errors.parameter, '缺少参数 {identifier}', { identifier })
    const measure = () => coerce(given[identifier], place === '' ? identifier : `${place}.${identifier}`)
    const result = measure()
    if (!result.ok) {
      const { code } = result.fault
      throw new AppError(
        { code, msg: code === errors.outOfRange.code ? errors.outOfRange.msg : errors.parameter.msg },
        { detail: () => faultText(measure()) },
      )
    }
    values[identifier] = result.value
  }
  return values
}
