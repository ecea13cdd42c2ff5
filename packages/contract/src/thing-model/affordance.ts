/** SchemaItem (one row of the schema endpoints) to and from the model; `affordance` is JSON text (thing-model.md 3). */

import type * as z from 'zod'
import { isRecord } from '#is-record.ts'
import { t } from '#text.ts'
import { dropNulls } from '../wire.ts'
import type { Define } from './define.ts'
import { readPlaces } from './json-places.ts'
import {
  type Action,
  ActionDirection,
  EventType,
  FunctionType,
  type ModelEvent,
  normaliseAction,
  normaliseEvent,
  normaliseProperty,
  type Property,
  PropertyMode,
  rawAction,
  rawEvent,
  rawProperty,
  type ThingModel,
} from './model.ts'
import { describeShape, type ModelIssue } from './model-issue.ts'

/** 1 custom, 2 optional, 3 required (cannot be deleted). */
export const FunctionTag = { custom: 1, optional: 2, required: 3 } as const
export type FunctionTag = (typeof FunctionTag)[keyof typeof FunctionTag]
export const functionTagLabels: Record<FunctionTag, string> = { 1: '自定义', 2: '可选', 3: '必选' }

export type ModelFunction =
  | { type: typeof FunctionType.property; value: Property }
  | { type: typeof FunctionType.event; value: ModelEvent }
  | { type: typeof FunctionType.action; value: Action }

/** The public console evaluates `define.specs.map` on every row: it must exist for all three types. */
const readableDefine = (define: Define | undefined) => ({ ...define, specs: define?.specs ?? [] })

export function toAffordance(part: ModelFunction): string {
  switch (part.type) {
    case FunctionType.property: {
      const { define, mode, isUseShadow, isNoRecord } = part.value
      return JSON.stringify({ define: readableDefine(define), mode, isUseShadow, isNoRecord })
    }
    case FunctionType.event: {
      const { type, params } = part.value
      return JSON.stringify({ type, params, define: readableDefine(undefined) })
    }
    case FunctionType.action: {
      const { dir, input, output } = part.value
      return JSON.stringify({ dir, input, output, define: readableDefine(undefined) })
    }
  }
}

const common = (item: ItemInput) => ({
  identifier: item.identifier,
  name: item.name,
  desc: item.desc,
  required: item.required === 1,
})

export interface ItemInput {
  type: FunctionType
  identifier: string
  name: string
  desc: string
  /** 1 yes, 2 no. */
  required: number
  affordance: string
}

const hasType = (value: unknown): boolean => isRecord(value) && typeof value.type === 'string' && value.type !== ''

/** Parameters carry their type as `define`, or as `dataType` with the name of the type beside it (thing-model.md 3). */
function defineOf({ define, dataType, type }: Record<string, unknown>): unknown {
  if (hasType(define)) return define
  if (hasType(dataType)) return dataType
  return isRecord(dataType) ? { ...dataType, type } : define
}

const looseParams = (list: unknown): unknown =>
  Array.isArray(list)
    ? list.map((param) => (isRecord(param) ? { ...param, define: defineOf(param) } : param))
    : list || undefined

/** Consoles send one superset for all three types (thing-model.md 3): take what the type needs, drop the rest. */
function rawPart(item: ItemInput, json: Record<string, unknown>): unknown {
  switch (item.type) {
    case FunctionType.property:
      return { ...json, ...common(item) }
    case FunctionType.event:
      return { ...common(item), type: eventType(json), params: looseParams(json.params) }
    case FunctionType.action:
      return { ...common(item), dir: json.dir, input: looseParams(json.input), output: looseParams(json.output) }
  }
}

/** Stands at the top and in `define`; consoles fill one or both, and may leave a data type in the second. */
function eventType({ type, define }: Record<string, unknown>): unknown {
  if (type || !isRecord(define)) return type
  return Object.values(EventType).find((known) => known === define.type)
}

export type ItemResult = { ok: true; part: ModelFunction } | { ok: false; issues: ModelIssue[] }

export function fromItem(item: ItemInput): ItemResult {
  const json = parseObject(item.affordance)
  if (!json) return { ok: false, issues: [{ path: 'affordance', text: t('模板的json格式不对') }] }
  const issues: ModelIssue[] = []
  const part = normalisePart(item.type, rawPart(item, json), issues)
  return part && issues.length === 0 ? { ok: true, part } : { ok: false, issues }
}

/** null = absent (http-api.md 1), inside of the text too. */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    readPlaces(text)
  } catch {
    return undefined
  }
  const json = dropNulls(JSON.parse(text))
  return isRecord(json) ? json : undefined
}

function normalisePart(type: FunctionType, raw: unknown, issues: ModelIssue[]): ModelFunction | undefined {
  const report = (issue: ModelIssue) => void issues.push(issue)
  const read = <T extends z.ZodType>(schema: T): z.output<T> | undefined => {
    const parsed = schema.safeParse(raw)
    if (!parsed.success) issues.push(...describeShape(parsed.error))
    return parsed.data
  }
  switch (type) {
    case FunctionType.property: {
      const property = read(rawProperty)
      return property && { type, value: normaliseProperty(property, '', report) }
    }
    case FunctionType.event: {
      const event = read(rawEvent)
      return event && { type, value: normaliseEvent(event, '', report) }
    }
    case FunctionType.action: {
      const action = read(rawAction)
      return action && { type, value: normaliseAction(action, '', report) }
    }
  }
}

/** Flattened in the order of the document: properties, events, actions. */
export const functionsOf = (model: ThingModel): ModelFunction[] => [
  ...model.properties.map((value) => ({ type: FunctionType.property, value })),
  ...model.events.map((value) => ({ type: FunctionType.event, value })),
  ...model.actions.map((value) => ({ type: FunctionType.action, value })),
]

/** A complete empty part of each type, for new forms. */
export const emptyProperty: Property = {
  identifier: '',
  name: '',
  desc: '',
  required: false,
  mode: PropertyMode.readWrite,
  define: { type: 'bool', mapping: { 0: '关', 1: '开' } },
  isUseShadow: false,
  isNoRecord: false,
}
export const emptyEvent: ModelEvent = {
  identifier: '',
  name: '',
  desc: '',
  required: false,
  type: EventType.info,
  params: [],
}
export const emptyAction: Action = {
  identifier: '',
  name: '',
  desc: '',
  required: false,
  dir: ActionDirection.down,
  input: [],
  output: [],
}
