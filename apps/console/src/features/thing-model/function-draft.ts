/** A function of the model while it is edited: every field is text, nothing is lost when the type is switched. */
import { t } from '@ithings/contract/text.ts'
import { fromItem, type ItemInput, type ModelFunction, toAffordance } from '@ithings/contract/thing-model/affordance.ts'
import { DataType, type Define, type Param, type RawDefine } from '@ithings/contract/thing-model/define.ts'
import { ActionDirection, EventType, FunctionType, PropertyMode } from '@ithings/contract/thing-model/model.ts'
import { isNoLimit } from '#blocks/model-form/define-summary.ts'

export interface EnumRow {
  key: string
  value: string
  label: string
}

/** A struct member or a parameter. */
export interface MemberDraft {
  key: string
  identifier: string
  name: string
  define: DefineDraft
}

export interface DefineDraft {
  type: DataType
  /** bool */
  off: string
  on: string
  /** enum */
  items: EnumRow[]
  /** int, float */
  min: string
  max: string
  start: string
  step: string
  unit: string
  /** string: most bytes */
  length: string
  /** struct */
  members: MemberDraft[]
  /** array; made when the type is first chosen */
  element: DefineDraft | undefined
}

export interface FunctionDraft {
  type: FunctionType
  identifier: string
  name: string
  desc: string
  required: boolean
  mode: PropertyMode
  isUseShadow: boolean
  isNoRecord: boolean
  define: DefineDraft
  eventType: EventType
  params: MemberDraft[]
  dir: ActionDirection
  input: MemberDraft[]
  output: MemberDraft[]
}

let lastKey = 0
/** Rows are told apart by a key of their own: identifiers may be empty or doubled while typing. */
export const newKey = (): string => `r${++lastKey}`

export const newEnumRow = (value = '', label = ''): EnumRow => ({ key: newKey(), value, label })

/** screens.md 4.2: defaults of the form. */
export const emptyDefine = (type: DataType = DataType.bool): DefineDraft => ({
  type,
  off: t('关'),
  on: t('开'),
  items: [newEnumRow('0'), newEnumRow('1')],
  min: '0',
  max: '100',
  start: '0',
  step: type === DataType.float ? '0.1' : '1',
  unit: '',
  length: '2048',
  members: [],
  element: type === DataType.array ? emptyDefine(DataType.int) : undefined,
})

export const newMember = (): MemberDraft => ({
  key: newKey(),
  identifier: '',
  name: '',
  define: emptyDefine(DataType.int),
})

/** Another type: what was typed for the earlier one stays, in case somebody comes back to it. */
export function withType(define: DefineDraft, type: DataType): DefineDraft {
  const step = type === DataType.float && define.step === '1' ? '0.1' : define.step
  return {
    ...define,
    type,
    step: type === DataType.int && define.step === '0.1' ? '1' : step,
    element: type === DataType.array ? (define.element ?? emptyDefine(DataType.int)) : define.element,
    members: type === DataType.struct && define.members.length === 0 ? [newMember()] : define.members,
  }
}

export const emptyDraft = (type: FunctionType = FunctionType.property): FunctionDraft => ({
  type,
  identifier: '',
  name: '',
  desc: '',
  required: false,
  mode: PropertyMode.readWrite,
  isUseShadow: false,
  isNoRecord: false,
  define: emptyDefine(),
  // screens.md 4.2: 告警 first.
  eventType: EventType.alert,
  params: [],
  dir: ActionDirection.down,
  input: [],
  output: [],
})

const limitText = (text: string | undefined): string => (isNoLimit(text) ? '' : (text ?? ''))

export function draftOfDefine(define: Define): DefineDraft {
  const empty = emptyDefine(define.type)
  const { mapping = {} } = define
  switch (define.type) {
    case DataType.bool:
      return { ...empty, off: mapping['0'] ?? '', on: mapping['1'] ?? '' }
    case DataType.enum:
      return { ...empty, items: Object.entries(mapping).map(([value, label]) => newEnumRow(value, label)) }
    case DataType.int:
    case DataType.float:
      return {
        ...empty,
        min: limitText(define.min),
        max: limitText(define.max),
        start: define.start ?? '',
        step: define.step ?? '',
        unit: define.unit ?? '',
      }
    case DataType.string:
      return { ...empty, length: define.max ?? '' }
    case DataType.timestamp:
      return empty
    case DataType.struct:
      return {
        ...empty,
        members: (define.specs ?? []).map((spec) => memberOf({ ...spec, define: spec.dataType })),
      }
    case DataType.array:
      return { ...empty, ...(define.arrayInfo && { element: draftOfDefine(define.arrayInfo) }) }
  }
}

const memberOf = ({ identifier, name, define }: Param): MemberDraft => ({
  key: newKey(),
  identifier,
  name,
  define: draftOfDefine(define),
})

export function draftOf(part: ModelFunction): FunctionDraft {
  const { identifier, name, desc, required } = part.value
  const common = { ...emptyDraft(part.type), identifier, name, desc, required }
  switch (part.type) {
    case FunctionType.property: {
      const { mode, isUseShadow, isNoRecord, define } = part.value
      return { ...common, mode, isUseShadow, isNoRecord, define: draftOfDefine(define) }
    }
    case FunctionType.event:
      return { ...common, eventType: part.value.type, params: part.value.params.map(memberOf) }
    case FunctionType.action: {
      const { dir, input, output } = part.value
      return { ...common, dir, input: input.map(memberOf), output: output.map(memberOf) }
    }
  }
}

/** In the form that the contract's check takes; only what belongs to the type. */
export function toDefine(draft: DefineDraft): RawDefine & Define {
  const { type } = draft
  switch (type) {
    case DataType.bool:
      return { type, mapping: { 0: draft.off, 1: draft.on } }
    case DataType.enum:
      return { type, mapping: Object.fromEntries(draft.items.map(({ value, label }) => [value.trim(), label])) }
    case DataType.int:
    case DataType.float: {
      const { min, max, start, step, unit } = draft
      return { type, min, max, start, step, unit }
    }
    case DataType.string:
      return { type, max: draft.length }
    case DataType.timestamp:
      return { type }
    case DataType.struct: {
      const specs = draft.members.map(({ identifier, name, define }) => ({
        identifier,
        name,
        dataType: toDefine(define),
      }))
      return { type, specs }
    }
    case DataType.array:
      return { type, ...(draft.element && { arrayInfo: toDefine(draft.element) }) }
  }
}

const toParams = (members: readonly MemberDraft[]): Param[] =>
  members.map(({ identifier, name, define }) => ({ identifier, name, define: toDefine(define) }))

export function toFunction(draft: FunctionDraft): ModelFunction {
  const { identifier, name, desc, required } = draft
  const common = { identifier, name, desc, required }
  switch (draft.type) {
    case FunctionType.property: {
      const { mode, isUseShadow, isNoRecord, define, type } = draft
      return { type, value: { ...common, mode, define: toDefine(define), isUseShadow, isNoRecord } }
    }
    case FunctionType.event: {
      const { type, eventType, params } = draft
      return { type, value: { ...common, type: eventType, params: toParams(params) } }
    }
    case FunctionType.action: {
      const { type, dir, input, output } = draft
      return { type, value: { ...common, dir, input: toParams(input), output: toParams(output) } }
    }
  }
}

/** The row that create and update take. */
export function toItem(draft: FunctionDraft): ItemInput {
  const part = toFunction(draft)
  const { identifier, name, desc, required } = part.value
  return {
    type: part.type,
    identifier,
    name: name.trim(),
    desc,
    required: required ? 1 : 2,
    affordance: toAffordance(part),
  }
}

/** A stored row as a function; undefined when it was written by something that knows more types than we do. */
export function partOfItem(item: Omit<ItemInput, 'type'> & { type: number }): ModelFunction | undefined {
  const result = fromItem(item as ItemInput)
  return result.ok ? result.part : undefined
}
