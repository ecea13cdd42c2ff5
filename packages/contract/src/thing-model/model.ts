/** The thing model of a product (TSL document, thing-model.md 1) and its check. */

import * as z from 'zod'
import { t } from '#text.ts'
import type { Define, Param, RawDefine } from './define.ts'
import { rawDefine, rawParam } from './define.ts'
import { maxDesc, maxFunctions, maxParams } from './limits.ts'
import { at, type ModelIssue, type Report } from './model-issue.ts'
import { checkIdentifier, checkName, checkUnique, normaliseDefine } from './normalise-define.ts'

/** Function type of a row. */
export const FunctionType = { property: 1, event: 2, action: 3 } as const
export type FunctionType = (typeof FunctionType)[keyof typeof FunctionType]
export const functionTypeLabels: Record<FunctionType, string> = { 1: '属性', 2: '事件', 3: '行为' }

export const PropertyMode = { read: 'r', readWrite: 'rw' } as const
export type PropertyMode = (typeof PropertyMode)[keyof typeof PropertyMode]
export const propertyModeLabels: Record<PropertyMode, string> = { r: '只读', rw: '读写' }

/** spec 3: event type. */
export const EventType = { info: 'info', alert: 'alert', fault: 'fault' } as const
export type EventType = (typeof EventType)[keyof typeof EventType]
export const eventTypeLabels: Record<EventType, string> = { info: '信息', alert: '告警', fault: '故障' }

export const ActionDirection = { up: 'up', down: 'down' } as const
export type ActionDirection = (typeof ActionDirection)[keyof typeof ActionDirection]
export const actionDirectionLabels: Record<ActionDirection, string> = { up: '上行', down: '下行' }

export interface Common {
  identifier: string
  name: string
  desc: string
  required: boolean
}
export interface Property extends Common {
  mode: PropertyMode
  define: Define
  isUseShadow: boolean
  isNoRecord: boolean
}
/** device-protocol.md 5: only these have desired values; what is read-only cannot be wished for. */
export const hasShadow = ({ isUseShadow, mode }: Pick<Property, 'isUseShadow' | 'mode'>): boolean =>
  isUseShadow && mode !== PropertyMode.read
export interface ModelEvent extends Common {
  type: EventType
  params: Param[]
}
export interface Action extends Common {
  dir: ActionDirection
  input: Param[]
  output: Param[]
}
export interface ThingModel {
  properties: Property[]
  events: ModelEvent[]
  actions: Action[]
}

const flag = z
  .union([z.boolean(), z.literal('').transform(() => false), z.number().transform((n) => n === 1)])
  .default(false)
const common = {
  identifier: z.string(),
  name: z.string(),
  desc: z.string().default(''),
  required: flag,
}
const blank = (value: unknown) => (value === '' ? undefined : value)
const params = z.array(rawParam).default([])

export const rawProperty = z.object({
  ...common,
  mode: z.preprocess(blank, z.enum(PropertyMode).default(PropertyMode.readWrite)),
  define: rawDefine,
  isUseShadow: flag,
  isNoRecord: flag,
})
export const rawEvent = z.object({
  ...common,
  type: z.preprocess(blank, z.enum(EventType).default(EventType.info)),
  params,
})
export const rawAction = z.object({
  ...common,
  dir: z.preprocess(blank, z.enum(ActionDirection).default(ActionDirection.down)),
  input: params,
  output: params,
})

/** Input of tsl-import: lists may be absent or null; `version` and `profile` are read and dropped. */
export const rawModel = z.object({
  properties: z.array(rawProperty).nullish(),
  events: z.array(rawEvent).nullish(),
  actions: z.array(rawAction).nullish(),
})
export type RawModel = z.output<typeof rawModel>

type RawCommon = { identifier: string; name: string; desc: string; required: boolean }

function normaliseCommon(raw: RawCommon, path: string, report: Report): Common {
  checkIdentifier(raw.identifier, path, report)
  checkName(raw.name, path, report)
  const length = [...raw.desc].length
  if (length > maxDesc)
    report({ path: at(path, 'desc'), text: t('描述最长 {max} 个字符，收到 {length} 个', { max: maxDesc, length }) })
  return { identifier: raw.identifier, name: raw.name.trim(), desc: raw.desc, required: raw.required }
}

function normaliseParams(
  raw: Array<{ identifier: string; name: string; define: RawDefine }>,
  path: string,
  report: Report,
): Param[] {
  if (raw.length > maxParams)
    report({ path, text: t('参数最多 {max} 个，收到 {count} 个', { max: maxParams, count: raw.length }) })
  checkUnique(
    raw.map(({ identifier }) => ({ identifier, path: at(path, identifier) })),
    report,
  )
  return raw.map((param) => {
    const own = at(path, param.identifier)
    checkIdentifier(param.identifier, own, report)
    checkName(param.name, own, report)
    return {
      identifier: param.identifier,
      name: param.name.trim(),
      define: normaliseDefine(param.define, at(own, 'define'), report),
    }
  })
}

export function normaliseProperty(raw: z.output<typeof rawProperty>, path: string, report: Report): Property {
  return {
    ...normaliseCommon(raw, path, report),
    mode: raw.mode,
    define: normaliseDefine(raw.define, at(path, 'define'), report),
    isUseShadow: raw.isUseShadow,
    isNoRecord: raw.isNoRecord,
  }
}

export function normaliseEvent(raw: z.output<typeof rawEvent>, path: string, report: Report): ModelEvent {
  return {
    ...normaliseCommon(raw, path, report),
    type: raw.type,
    params: normaliseParams(raw.params, at(path, 'params'), report),
  }
}

export function normaliseAction(raw: z.output<typeof rawAction>, path: string, report: Report): Action {
  return {
    ...normaliseCommon(raw, path, report),
    dir: raw.dir,
    input: normaliseParams(raw.input, at(path, 'input'), report),
    output: normaliseParams(raw.output, at(path, 'output'), report),
  }
}

/** Identifiers are unique across properties, events and actions of a product (thing-model.md 2). */
export function normaliseModel(raw: RawModel): { model: ThingModel; issues: ModelIssue[] } {
  const issues: ModelIssue[] = []
  const report: Report = (issue) => void issues.push(issue)
  const model: ThingModel = {
    properties: (raw.properties ?? []).map((p) => normaliseProperty(p, `properties.${p.identifier}`, report)),
    events: (raw.events ?? []).map((e) => normaliseEvent(e, `events.${e.identifier}`, report)),
    actions: (raw.actions ?? []).map((a) => normaliseAction(a, `actions.${a.identifier}`, report)),
  }
  const places = (['properties', 'events', 'actions'] as const).flatMap((list) =>
    model[list].map(({ identifier }) => ({ identifier, path: `${list}.${identifier}` })),
  )
  checkUnique(places, report)
  if (places.length > maxFunctions) {
    report({
      path: '',
      text: t('一个产品最多 {max} 个功能，收到 {count} 个', { max: maxFunctions, count: places.length }),
    })
  }
  return { model, issues }
}
