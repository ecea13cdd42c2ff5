/** What a property command would change, by what the device reported last. Pure. */
import type { PropertyValue } from '@ithings/contract/features/devices/msg.ts'
import type { Property } from '@ithings/contract/thing-model/model.ts'
import { describeValue, parseValue, withUnit } from '../typed-value/value-text.ts'

type Values = Record<string, unknown>

/** What was never reported has no value: nothing is invented in its place. */
export function reportedValues(properties: readonly Property[], latest: readonly PropertyValue[]): Values {
  const rows = new Map(latest.filter(({ timestamp }) => timestamp !== '0').map((row) => [row.dataID, row.value]))
  return Object.fromEntries(
    properties.flatMap(({ identifier, define }) => {
      const text = rows.get(identifier)
      const value = text === undefined ? undefined : parseValue(define, text)
      return value === undefined ? [] : [[identifier, value]]
    }),
  )
}

export interface Change {
  name: string
  from: string
  to: string
}

/** Values that are sent as they already are change nothing. */
export function changesOf(properties: readonly Property[], reported: Values, sent: Values): Change[] {
  return Object.entries(sent).flatMap(([identifier, value]) => {
    const before = reported[identifier]
    if (JSON.stringify(before) === JSON.stringify(value)) return []
    const property = properties.find((one) => one.identifier === identifier)
    const words = (one: unknown) => {
      if (one === undefined) return '从未上报'
      return property ? withUnit(property.define, describeValue(property.define, one)) : JSON.stringify(one)
    }
    return [{ name: property?.name ?? identifier, from: words(before), to: words(value) }]
  })
}
