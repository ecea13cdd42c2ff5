/** The sample message of a dry run: which devices it may come from and which values matter. Pure. */

import type { PropertyValue } from '@ithings/contract/features/history.ts'
import type { TriggerOperator } from '@ithings/contract/rules/device-trigger.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { parseValue } from '#blocks/typed-value/value-text.ts'
import { flatConditions, type SceneDraft } from './draft.ts'

/** What the device of the sample does. */
export const sampleKinds = ['property', 'event', 'connected', 'disConnected', 'noReport'] as const
export type SampleKind = (typeof sampleKinds)[number]
export const sampleKindLabels: Record<SampleKind, string> = {
  property: '上报属性',
  event: '上报事件',
  connected: '上线',
  disConnected: '下线',
  noReport: '长时间无数据',
}

const kindOf: Record<TriggerOperator, SampleKind> = {
  connected: 'connected',
  disConnected: 'disConnected',
  reportProperty: 'property',
  reportEvent: 'event',
  noReport: 'noReport',
}

const triggersOf = (draft: SceneDraft, productID: string) =>
  draft.triggers.map(({ part }) => part).filter((part) => part.productID === productID)

export const kindsFor = (draft: SceneDraft, productID: string): SampleKind[] => [
  ...new Set(triggersOf(draft, productID).map(({ operator }) => kindOf[operator])),
]

/** A device that surely is in the range; '' when only the product is known. */
export const likelyDevice = (draft: SceneDraft, productID: string): string =>
  triggersOf(draft, productID).find(({ selector }) => selector === 'fixed')?.selectorValues?.[0] ?? ''

/** Properties of the triggering device that the scene looks at. */
export function watchedProperties(draft: SceneDraft, productID: string): string[] {
  const ofTriggers = triggersOf(draft, productID).flatMap(({ operator, operationSchema }) =>
    operator === 'reportProperty' ? (operationSchema?.dataID[0] ?? []) : [],
  )
  const ofConditions = flatConditions(draft.conditions).flatMap(({ part }) => {
    const schema = part.columnSchema
    return schema?.productID === productID && schema.deviceName === '' ? (schema.dataID[0] ?? []) : []
  })
  return [...new Set([...ofTriggers, ...ofConditions])]
}

export const watchedEvents = (draft: SceneDraft, productID: string): string[] => [
  ...new Set(
    triggersOf(draft, productID).flatMap(({ operator, operationSchema }) =>
      operator === 'reportEvent' ? (operationSchema?.dataID[0] ?? []) : [],
    ),
  ),
]

/** The device's latest values as a message would bring them; what it never reported is left out. */
export function latestParams(
  model: ThingModel,
  latest: readonly PropertyValue[],
  wanted: readonly string[],
): Record<string, unknown> {
  const entries = wanted.flatMap((id) => {
    const define = model.properties.find(({ identifier }) => identifier === id)?.define
    const row = latest.find(({ dataID }) => dataID === id)
    if (!define || !row || (row.value === '' && define.type !== 'string')) return []
    const value = parseValue(define, row.value)
    return value === undefined ? [] : [[id, value] as const]
  })
  return Object.fromEntries(entries)
}
