/** A command that is being written in the panel. Pure. */

import { maxCommandText, ShadowControl } from '@ithings/contract/features/commands.ts'
import { t } from '@ithings/contract/text.ts'
import type { Action, ThingModel } from '@ithings/contract/thing-model/model.ts'
import { callableOf, writableOf } from '#blocks/model-form/command-text.ts'
import { exampleParams } from '#blocks/model-form/example-value.ts'
import { checkParams, type ValueIssues } from '#blocks/model-form/value-issues.ts'
import { changed, type PropertyDraft, type Values } from '#blocks/property-changes/changes.ts'
import { jsonProblem } from '#kit/json-input.ts'

export const commandModes = ['property', 'action', 'json'] as const
export type CommandMode = (typeof commandModes)[number]
export const commandModeLabels: Record<CommandMode, string> = {
  property: '属性设置',
  action: '行为调用',
  json: 'JSON',
}

/** What there is anything to send with; JSON is for what the forms do not offer. */
export const modesOf = (model: ThingModel): CommandMode[] => [
  ...(writableOf(model).length > 0 ? (['property'] as const) : []),
  ...(callableOf(model).length > 0 ? (['action'] as const) : []),
  'json',
]

export interface Draft {
  mode: CommandMode
  /** Set together. */
  properties: PropertyDraft
  actionID: string | undefined
  inputs: Values
  /** Of the JSON mode: '' sets properties, else the action it calls. */
  jsonTarget: string
  json: string
  shadowControl: ShadowControl
  isAsync: boolean
}

export const emptyDraft = (model: ThingModel): Draft => ({
  mode: modesOf(model)[0] ?? 'json',
  properties: { values: {}, began: {} },
  actionID: undefined,
  inputs: {},
  jsonTarget: '',
  json: '',
  shadowControl: ShadowControl.auto,
  isAsync: false,
})

/** What may be sent, or what keeps it from being sent. */
export type Checked =
  | { ok: true; kind: 'property'; values: Values; data: string }
  | { ok: true; kind: 'action'; action: Action; data: string }
  | { ok: false; text: string; issues?: ValueIssues }

const tooLong = (data: string): boolean => data.length > maxCommandText

function checkJson({ json, jsonTarget }: Draft, model: ThingModel): Checked {
  const problem = jsonProblem(json)
  if (problem) return { ok: false, text: problem.message }
  const values = JSON.parse(json) as Values
  if (jsonTarget !== '') {
    const action = callableOf(model).find(({ identifier }) => identifier === jsonTarget)
    return action ? { ok: true, kind: 'action', action, data: json } : { ok: false, text: t('请选择要调用的行为') }
  }
  if (Object.keys(values).length === 0) return { ok: false, text: t('至少要有一个属性') }
  // Values are judged by the platform: JSON is for what the form does not offer.
  return { ok: true, kind: 'property', values, data: json }
}

function checkForm(draft: Draft, model: ThingModel): Checked {
  if (draft.mode === 'action') {
    const action = callableOf(model).find(({ identifier }) => identifier === draft.actionID)
    if (!action) return { ok: false, text: t('请选择要调用的行为') }
    const issues = checkParams(action.input, draft.inputs)
    if (issues.size > 0) return { ok: false, text: t('{count} 处待修正', { count: issues.size }), issues }
    return { ok: true, kind: 'action', action, data: JSON.stringify(draft.inputs) }
  }
  const { sent, issues, none } = changed(writableOf(model), draft.properties)
  if (none) {
    const chosen = Object.keys(draft.properties.values).length > 0
    return { ok: false, text: chosen ? t('还没有改动，所选属性都是设备当前的值') : t('请选择要设置的属性') }
  }
  if (issues.size > 0) return { ok: false, text: t('{count} 处待修正', { count: issues.size }), issues }
  return { ok: true, kind: 'property', values: sent, data: JSON.stringify(sent) }
}

export function checkDraft(draft: Draft, model: ThingModel): Checked {
  const checked = draft.mode === 'json' ? checkJson(draft, model) : checkForm(draft, model)
  if (checked.ok && tooLong(checked.data)) {
    return {
      ok: false,
      text: t('内容最长 {max, number} 个字符，现在是 {length, number} 个', {
        max: maxCommandText,
        length: checked.data.length,
      }),
    }
  }
  return checked
}

/** To start from: the input of an action as it could be, properties as they are. */
export function jsonTemplate(target: string, model: ThingModel, reported: Values, now: number): string {
  const action = callableOf(model).find(({ identifier }) => identifier === target)
  const known = writableOf(model).flatMap(({ identifier: id }) => (id in reported ? [[id, reported[id]]] : []))
  return JSON.stringify(action ? exampleParams(action.input, now) : Object.fromEntries(known), null, 2)
}
