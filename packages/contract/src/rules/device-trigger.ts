/** What a device does to start a scene (rules.md 2), and the pieces that conditions and actions share with it. */
import * as z from 'zod'
import { int, number, text } from '../wire.ts'
import { sceneLimits } from './scene-limits.ts'
import { termTypes, termValueCount } from './terms.ts'
import { secondsOf, type TimeUnit, timeUnits } from './time-units.ts'

export const unit = z.enum(timeUnits).default('seconds')
export const productID = text(64, 1)
/** Property (and member of a struct), event (and parameter), or nothing. */
export const dataID = z.array(text(128, 1)).max(2)
/** Existing consoles send one text, others a list; both are kept as they came (rules.md 3). */
const scalar = z.union([z.string().max(256), z.number().transform(String), z.boolean().transform(String)])
export const values = z.union([scalar, z.array(scalar).max(100)])
export const valuesOf = (given: string | string[] | null | undefined): string[] =>
  given === null || given === undefined ? [] : Array.isArray(given) ? given : [given]

export const term = z.enum(termTypes)

const withinADay = (value: { value: number; unit: TimeUnit }) => secondsOf(value) <= sceneLimits.seconds

/** Debounce: true for so long without a break, or so often within a window. */
export const stateKeep = z
  .object({
    type: z.enum(['duration', 'repeating']),
    value: number(0, sceneLimits.seconds),
    unit,
    /** Ours, with repeating: seconds in which `value` reports must match; default 60. */
    window: int(1, sceneLimits.seconds).optional(),
  })
  .refine((keep) => keep.type === 'repeating' || withinADay(keep), '持续时间最长 24 小时')
  .refine((keep) => keep.type === 'duration' || (keep.value >= 1 && keep.value <= 1000), '次数须为 1 到 1000')
export type StateKeep = z.output<typeof stateKeep>

export const triggerOperators = ['connected', 'disConnected', 'reportProperty', 'reportEvent', 'noReport'] as const
export type TriggerOperator = (typeof triggerOperators)[number]
export const triggerOperatorLabels: Record<TriggerOperator, string> = {
  connected: '设备上线',
  disConnected: '设备下线',
  reportProperty: '属性上报',
  reportEvent: '事件上报',
  noReport: '长时间无数据',
}

export const operationSchema = z.object({
  dataID: dataID.default([]),
  /** Absent: every report counts. */
  termType: term.nullish(),
  values: values.nullish(),
  stateKeep: stateKeep.nullish(),
  /** noReport only. */
  minutes: int(1, sceneLimits.noReportMinutes).optional(),
})
export type OperationSchema = z.output<typeof operationSchema>

export const selectorValues = z.array(text(48, 1)).max(sceneLimits.devices).nullish()

export const named = (one: { selector: string; selectorValues?: string[] | null | undefined }) =>
  one.selector === 'all' || one.selector === 'trigger' || (one.selectorValues?.length ?? 0) > 0

const isGroupID = (text: string) => /^[1-9]\d{0,14}$/.test(text)
export const fits = (one: { selector: string; selectorValues?: string[] | null | undefined }) =>
  one.selector !== 'group' || (one.selectorValues ?? []).every(isGroupID)

export const hasTermValues = ({ termType, values: given }: Pick<OperationSchema, 'termType' | 'values'>) => {
  if (!termType) return true
  const [fewest, most] = termValueCount[termType]
  const count = valuesOf(given).length
  return count >= fewest && count <= most
}

export const deviceTrigger = z
  .object({
    productID,
    /** group: selectorValues is one groupID, groups below it included. */
    selector: z.enum(['all', 'fixed', 'group']).default('all'),
    selectorValues,
    operator: z.enum(triggerOperators),
    operationSchema: operationSchema.nullish(),
    /** Ours: after it fired, not again for the device until the state was false in between. */
    once: z.boolean().optional(),
    /** Ours: seconds between two firings for one device. */
    minInterval: int(0, sceneLimits.seconds).optional(),
  })
  .refine(named, { path: ['selectorValues'], message: '请选择设备或分组' })
  .refine(fits, { path: ['selectorValues'], message: '分组须为编号' })
  .refine((one) => one.operator !== 'reportProperty' || (one.operationSchema?.dataID.length ?? 0) > 0, {
    path: ['operationSchema', 'dataID'],
    message: '请选择属性',
  })
  .refine((one) => one.operator !== 'reportEvent' || (one.operationSchema?.dataID.length ?? 0) > 0, {
    path: ['operationSchema', 'dataID'],
    message: '请选择事件',
  })
  .refine((one) => one.operator !== 'noReport' || one.operationSchema?.minutes !== undefined, {
    path: ['operationSchema', 'minutes'],
    message: '请填写无数据的分钟数',
  })
  .refine((one) => !one.operationSchema || hasTermValues(one.operationSchema), {
    path: ['operationSchema', 'values'],
    message: '比较值的个数与操作符不符',
  })
export type DeviceTrigger = z.output<typeof deviceTrigger>
