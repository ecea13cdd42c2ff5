/** SchemaItem (one row of the schema endpoints) to and from the model; `affordance` is JSON text (thing-model.md 3). */
import * as z from 'zod'
import { type Define, rawDefine } from './define.ts'
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
import type { ModelIssue } from './model-issue.ts'

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

/** Consoles send one superset for all three types (thing-model.md 3): take what the type needs, drop the rest. */
const looseParams = z
  .array(
    z.object({
      identifier: z.string(),
      name: z.string(),
      define: rawDefine.optional(),
      dataType: rawDefine.optional(),
    }),
  )
  .nullish()
  .transform((list) => (list ?? []).map(({ define, dataType, ...rest }) => ({ ...rest, define: define ?? dataType })))

function parseAffordance(item: ItemInput): unknown {
  const json = JSON.parse(item.affordance) as Record<string, unknown>
  switch (item.type) {
    case FunctionType.property:
      return { ...common(item), ...pick(json, ['define', 'mode', 'isUseShadow', 'isNoRecord']) }
    case FunctionType.event:
      return { ...common(item), type: json.type, params: looseParams.parse(json.params) }
    case FunctionType.action:
      return {
        ...common(item),
        dir: json.dir,
        input: looseParams.parse(json.input),
        output: looseParams.parse(json.output),
      }
  }
}

const pick = (json: Record<string, unknown>, keys: string[]) =>
  Object.fromEntries(keys.filter((key) => json[key] !== undefined && json[key] !== null).map((key) => [key, json[key]]))

export type ItemResult = { ok: true; part: ModelFunction } | { ok: false; issues: ModelIssue[] }

export function fromItem(item: ItemInput): ItemResult {
  const issues: ModelIssue[] = []
  const report = (issue: ModelIssue) => void issues.push(issue)
  let raw: unknown
  try {
    raw = parseAffordance(item)
  } catch {
    return { ok: false, issues: [{ path: 'affordance', text: '模板的json格式不对' }] }
  }
  const part = normalisePart(item.type, raw, report)
  return part && issues.length === 0 ? { ok: true, part } : { ok: false, issues }
}

function normalisePart(
  type: FunctionType,
  raw: unknown,
  report: (issue: ModelIssue) => void,
): ModelFunction | undefined {
  const schemas = { 1: rawProperty, 2: rawEvent, 3: rawAction } as const
  const parsed = schemas[type].safeParse(raw)
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      report({ path: issue.path.join('.'), text: `${issue.path.join('.')} 的格式不对` })
    }
    return undefined
  }
  switch (type) {
    case FunctionType.property:
      return { type, value: normaliseProperty(rawProperty.parse(raw), '', report) }
    case FunctionType.event:
      return { type, value: normaliseEvent(rawEvent.parse(raw), '', report) }
    case FunctionType.action:
      return { type, value: normaliseAction(rawAction.parse(raw), '', report) }
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
