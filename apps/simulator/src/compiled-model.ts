/** A thing model made ready for answering; shared by all devices of a product. */
import type { Action, ModelEvent, Property, ThingModel } from '@ithings/contract/thing-model/model.ts'
import { type Coerce, compileDefine } from '@ithings/contract/thing-model/values.ts'

export interface CompiledModel {
  model: ThingModel
  properties: Map<string, { property: Property; coerce: Coerce }>
  actions: Map<string, { action: Action; input: Array<{ identifier: string; coerce: Coerce }> }>
  events: Map<string, ModelEvent>
}

const compiled = new WeakMap<ThingModel, CompiledModel>()

export function compileModel(model: ThingModel): CompiledModel {
  const known = compiled.get(model)
  if (known) return known
  const made: CompiledModel = {
    model,
    properties: new Map(
      model.properties.map((property) => [
        property.identifier,
        { property, coerce: compileDefine(property.define, 'command') },
      ]),
    ),
    actions: new Map(
      model.actions.map((action) => [
        action.identifier,
        {
          action,
          input: action.input.map(({ identifier, define }) => ({
            identifier,
            coerce: compileDefine(define, 'command'),
          })),
        },
      ]),
    ),
    events: new Map(model.events.map((event) => [event.identifier, event])),
  }
  compiled.set(model, made)
  return made
}
