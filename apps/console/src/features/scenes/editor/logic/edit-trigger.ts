/** What a choice in a device trigger brings along. Pure. */
import type { DeviceTrigger, StateKeep, TriggerOperator } from '@ithings/contract/rules/device-trigger.ts'
import { DataType, type Define } from '@ithings/contract/thing-model/define.ts'

export type KeepKind = 'none' | StateKeep['type']

/** Presence lasts, events happen, values do both; silence has its own minutes. */
const keepsOf: Record<TriggerOperator, readonly KeepKind[]> = {
  connected: ['none', 'duration'],
  disConnected: ['none', 'duration'],
  reportProperty: ['none', 'duration', 'repeating'],
  reportEvent: ['none', 'repeating'],
  noReport: ['none'],
}

export const keepOf = ({ operationSchema }: DeviceTrigger): KeepKind => operationSchema?.stateKeep?.type ?? 'none'

/** "Lasts" needs a state: a report that counts in any case is none. The chosen one is always offered. */
export function keepChoices(trigger: DeviceTrigger): KeepKind[] {
  const { operator, operationSchema } = trigger
  const stateless = operator === 'reportProperty' && !operationSchema?.termType
  const fitting = keepsOf[operator].filter((kind) => !stateless || kind !== 'duration')
  const chosen = keepOf(trigger)
  return fitting.includes(chosen) ? fitting : [...fitting, chosen]
}

const firstKeep: Record<Exclude<KeepKind, 'none'>, StateKeep> = {
  duration: { type: 'duration', value: 30, unit: 'seconds' },
  repeating: { type: 'repeating', value: 3, unit: 'seconds', window: 60 },
}

export function withKeep(trigger: DeviceTrigger, kind: KeepKind): DeviceTrigger {
  const schema = trigger.operationSchema ?? { dataID: [] }
  return { ...trigger, operationSchema: { ...schema, stateKeep: kind === 'none' ? null : firstKeep[kind] } }
}

export function withOperator(trigger: DeviceTrigger, operator: TriggerOperator): DeviceTrigger {
  if (trigger.operator === operator) return trigger
  const keep = trigger.operationSchema?.stateKeep
  const kept = keep && keepsOf[operator].includes(keep.type) ? keep : null
  const changed = { ...trigger, operator }
  switch (operator) {
    case 'connected':
    case 'disConnected':
      return { ...changed, operationSchema: kept ? { dataID: [], stateKeep: kept } : null }
    case 'noReport':
      return { ...changed, operationSchema: { dataID: [], minutes: 10 } }
    case 'reportProperty':
    case 'reportEvent':
      return { ...changed, operationSchema: { dataID: [], stateKeep: kept } }
  }
}

/** Properties, events and devices belong to the product. */
export const withProduct = (trigger: DeviceTrigger, productID: string): DeviceTrigger => ({
  ...trigger,
  productID,
  selectorValues: trigger.selector === 'fixed' ? null : trigger.selectorValues,
  operationSchema: trigger.operationSchema && {
    ...trigger.operationSchema,
    dataID: [],
    termType: null,
    values: null,
  },
})

/** The comparison that people mean first: numbers against a limit, states for equality. */
export function firstTerm(define: Define | undefined) {
  switch (define?.type) {
    case DataType.int:
    case DataType.float:
      return { termType: 'gt' as const, values: [''] }
    case DataType.bool:
    case DataType.enum:
    case DataType.string:
      return { termType: 'eq' as const, values: [''] }
    case DataType.timestamp:
      return { termType: 'gte' as const, values: [''] }
    default:
      return { termType: null, values: null }
  }
}
