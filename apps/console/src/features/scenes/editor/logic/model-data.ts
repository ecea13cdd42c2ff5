/** What of a thing model a trigger or a condition can look at: properties, members, events, parameters. Pure. */
import { DataType, type Define } from '@ithings/contract/thing-model/define.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'

export interface DataChoice {
  /** Property and member, or event and parameter. */
  dataID: string[]
  name: string
  /** Absent: an event as a whole. */
  define?: Define
}

/** Members stand for their struct (rules.md 2: mandatory); arrays can only be waited for, not compared. */
export const propertyChoices = (model: ThingModel): DataChoice[] =>
  model.properties.flatMap(({ identifier, name, define }) =>
    define.type === DataType.struct
      ? (define.specs ?? []).map((spec) => ({
          dataID: [identifier, spec.identifier],
          name: `${name} / ${spec.name}`,
          define: spec.dataType,
        }))
      : [{ dataID: [identifier], name, define }],
  )

export const eventChoices = (model: ThingModel): DataChoice[] =>
  model.events.flatMap(({ identifier, name, params }) => [
    { dataID: [identifier], name },
    ...params.map((param) => ({
      dataID: [identifier, param.identifier],
      name: `${name} / ${param.name}`,
      define: param.define,
    })),
  ])

export const choicesOf = (model: ThingModel | undefined, kind: 'property' | 'event'): DataChoice[] => {
  if (!model) return []
  return kind === 'property' ? propertyChoices(model) : eventChoices(model)
}

/** Identifiers hold no dot (decisions.md 2 "Model limits"). */
export const dataKey = (dataID: readonly string[]): string => dataID.join('.')
export const dataOfKey = (key: string): string[] => (key === '' ? [] : key.split('.'))

export const findChoice = (
  model: ThingModel | undefined,
  kind: 'property' | 'event',
  dataID: readonly string[],
): DataChoice | undefined => choicesOf(model, kind).find((choice) => dataKey(choice.dataID) === dataKey(dataID))
