/** A command that is being written in the panel. Pure. */
import { maxCommandText, ShadowControl } from '@ithings/contract/features/devices/interact.ts'
import { type Action, ActionDirection, PropertyMode, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { exampleParams } from '#blocks/model-form/example-value.ts'
import { checkParams, type ValueIssues } from '#blocks/model-form/value-issues.ts'
import { jsonProblem } from '#kit/json-input.ts'

export const commandModes = ['property', 'action', 'json'] as const
export type CommandMode = (typeof commandModes)[number]
export const commandModeLabels: Record<CommandMode, string> = {
  property: '属性设置',
  action: '行为调用',
  json: 'JSON',
}

export interface Draft {
  mode: CommandMode
  /** Identifiers of the properties to be set together. */
  properties: string[]
  values: Record<string, unknown>
  actionID: string | undefined
  inputs: Record<string, unknown>
  /** Of the JSON mode: '' sets properties, else the action it calls. */
  jsonTarget: string
  json: string
  shadowControl: ShadowControl
  isAsync: boolean
}

export const writableOf = (model: ThingModel) => model.properties.filter(({ mode }) => mode === PropertyMode.readWrite)
export const callableOf = (model: ThingModel) => model.actions.filter(({ dir }) => dir === ActionDirection.down)

export const emptyDraft = (model: ThingModel): Draft => ({
  mode: writableOf(model).length > 0 || callableOf(model).length === 0 ? 'property' : 'action',
  properties: [],
  values: {},
  actionID: undefined,
  inputs: {},
  jsonTarget: '',
  json: '',
  shadowControl: ShadowControl.auto,
  isAsync: false,
})

/** What may be sent, or what keeps it from being sent. */
export type Checked =
  | { ok: true; kind: 'property'; values: Record<string, unknown>; data: string }
  | { ok: true; kind: 'action'; action: Action; data: string }
  | { ok: false; text: string; issues?: ValueIssues }

const tooLong = (data: string): boolean => data.length > maxCommandText

function checkJson({ json, jsonTarget }: Draft, model: ThingModel): Checked {
  const problem = jsonProblem(json)
  if (problem) return { ok: false, text: problem.message }
  const values = JSON.parse(json) as Record<string, unknown>
  if (jsonTarget !== '') {
    const action = callableOf(model).find(({ identifier }) => identifier === jsonTarget)
    return action ? { ok: true, kind: 'action', action, data: json } : { ok: false, text: '请选择要调用的行为' }
  }
  if (Object.keys(values).length === 0) return { ok: false, text: '至少要有一个属性' }
  // Values are judged by the platform: JSON is for what the form does not offer.
  return { ok: true, kind: 'property', values, data: json }
}

function checkForm(draft: Draft, model: ThingModel): Checked {
  if (draft.mode === 'action') {
    const action = callableOf(model).find(({ identifier }) => identifier === draft.actionID)
    if (!action) return { ok: false, text: '请选择要调用的行为' }
    const issues = checkParams(action.input, draft.inputs)
    if (issues.size > 0) return { ok: false, text: `${issues.size} 处待修正`, issues }
    return { ok: true, kind: 'action', action, data: JSON.stringify(draft.inputs) }
  }
  const chosen = writableOf(model).filter(({ identifier }) => draft.properties.includes(identifier))
  if (chosen.length === 0) return { ok: false, text: '请选择要设置的属性' }
  const issues = checkParams(chosen, draft.values)
  if (issues.size > 0) return { ok: false, text: `${issues.size} 处待修正`, issues }
  const values = Object.fromEntries(chosen.map(({ identifier }) => [identifier, draft.values[identifier]]))
  return { ok: true, kind: 'property', values, data: JSON.stringify(values) }
}

export function checkDraft(draft: Draft, model: ThingModel): Checked {
  const checked = draft.mode === 'json' ? checkJson(draft, model) : checkForm(draft, model)
  if (checked.ok && tooLong(checked.data)) {
    return {
      ok: false,
      text: `内容最长 ${maxCommandText.toLocaleString()} 个字符，现在是 ${checked.data.length.toLocaleString()} 个`,
    }
  }
  return checked
}

/** A believable body to start from, by the model. */
export function jsonTemplate(target: string, model: ThingModel, now: number): string {
  const action = callableOf(model).find(({ identifier }) => identifier === target)
  const params = action ? action.input : writableOf(model).slice(0, 3)
  return JSON.stringify(exampleParams(params, now), null, 2)
}
