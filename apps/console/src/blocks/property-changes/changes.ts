/** The properties of a command: they begin with what the device reported last, and only what is changed goes out. Pure. */

import type { PropertyValue } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import type { Property } from '@ithings/contract/thing-model/model.ts'
import { checkParams, type ValueIssues } from '../model-form/value-issues.ts'
import { describeValue, parseValue, withUnit } from '../typed-value/value-text.ts'

export type Values = Record<string, unknown>

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

export interface PropertyDraft {
  /** A key for each chosen property; undefined: no value yet. */
  values: Values
  /** What was filled in; a value from elsewhere, like a request that is shown again, counts as changed. */
  began: Values
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export const withChosen = ({ values, began }: PropertyDraft, identifiers: readonly string[]): PropertyDraft => ({
  values: Object.fromEntries(identifiers.map((identifier) => [identifier, values[identifier]])),
  began,
})

/** Fills what is empty; what somebody wrote meanwhile stays. */
export function withReported({ values, began }: PropertyDraft, reported: Values): PropertyDraft {
  const empty = Object.keys(values).filter((key) => values[key] === undefined && reported[key] !== undefined)
  const filled = Object.fromEntries(empty.map((key) => [key, reported[key]]))
  return { values: { ...values, ...filled }, began: { ...began, ...filled } }
}

/** What is sent, and what is wrong with it. What was empty and stayed so is left out; what was emptied is a fault. */
export function changed(properties: readonly Property[], { values, began }: PropertyDraft) {
  const touched = properties.filter(
    ({ identifier }) => identifier in values && !same(values[identifier], began[identifier]),
  )
  const sent: Values = Object.fromEntries(touched.map(({ identifier }) => [identifier, values[identifier]]))
  const issues: ValueIssues = checkParams(touched, sent)
  return { sent, issues, none: touched.length === 0 }
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
    if (same(before, value)) return []
    const property = properties.find((one) => one.identifier === identifier)
    const words = (one: unknown) => {
      if (one === undefined) return t('从未上报')
      return property ? withUnit(property.define, describeValue(property.define, one)) : JSON.stringify(one)
    }
    return [{ name: property?.name ?? identifier, from: words(before), to: words(value) }]
  })
}
