/**
 * The verdict on a draft, each fault at its field. It is spoken by the contract's own functions, which the server runs
 * too; they name list items by identifier, which may be empty or doubled here, so every item is asked about by itself.
 */
import { t } from '@ithings/contract/text.ts'
import { fromItem } from '@ithings/contract/thing-model/affordance.ts'
import { DataType, type RawDefine, type Spec } from '@ithings/contract/thing-model/define.ts'
import { maxMappingLabel } from '@ithings/contract/thing-model/limits.ts'
import { EventType, FunctionType, normaliseEvent } from '@ithings/contract/thing-model/model.ts'
import type { ModelIssue } from '@ithings/contract/thing-model/model-issue.ts'
import {
  checkIdentifier,
  checkName,
  checkUnique,
  normaliseDefine,
} from '@ithings/contract/thing-model/normalise-define.ts'
import { type DefineDraft, type FunctionDraft, type MemberDraft, toDefine, toItem } from './function-draft.ts'

export interface DraftIssue {
  /** Like `params.r3.define.max`: rows by their key. */
  path: string
  text: string
  /** Nothing was typed there yet: not shown before somebody tries to save. */
  blank: boolean
}

type Report = (path: string, text: string, blank?: boolean) => void

const isBlank = (text: string): boolean => text.trim() === ''
const said =
  (report: Report, blank = false) =>
  (issue: ModelIssue) =>
    report(issue.path, issue.text, blank)

function checkNumber(draft: DefineDraft, path: string, report: Report): void {
  const unread = new Set<string>()
  normaliseDefine(toDefine(draft), path, (issue) => {
    unread.add(issue.path)
    report(issue.path, issue.text)
  })
  // The platform mends these two silently; whoever types them should know.
  const [min, max, start, step] = [draft.min, draft.max, draft.start, draft.step].map((text) =>
    isBlank(text) ? undefined : Number(text),
  )
  if (start !== undefined && !unread.has(`${path}.start`) && !unread.has(`${path}.max`)) {
    const low = min !== undefined && start < min
    if (low || (max !== undefined && start > max)) {
      report(
        `${path}.start`,
        t('初始值 {start} 须在 {min}–{max} 之间', {
          start: draft.start,
          min: draft.min || t('不限', { context: 'between' }),
          max: draft.max || t('不限', { context: 'between' }),
        }),
      )
    }
  }
  if (step === undefined || unread.has(`${path}.step`)) return
  if (step <= 0) report(`${path}.step`, t('步长须大于 0，收到 {step}', { step: draft.step }))
  else if (max !== undefined && min !== undefined && step > max - min && max > min) {
    report(`${path}.step`, t('步长 {step} 大于数值范围', { step: draft.step }))
  }
}

function checkBool(draft: DefineDraft, path: string, report: Report): void {
  const labels: Record<string, string> = { off: draft.off, on: draft.on }
  const fields: Record<string, string> = { [`${path}.mapping.0`]: 'off', [`${path}.mapping.1`]: 'on' }
  normaliseDefine(toDefine(draft), path, (issue) => {
    const field = fields[issue.path]
    if (field) report(`${path}.${field}`, issue.text, isBlank(labels[field] ?? ''))
  })
  if (!isBlank(draft.on) && draft.on.trim() === draft.off.trim()) report(`${path}.on`, t('两个取值的说明不能相同'))
}

function mappingIssues(key: string, label: string): string[] {
  const found: string[] = []
  normaliseDefine({ type: DataType.enum, mapping: { [key]: label } }, '', ({ text }) => void found.push(text))
  return found
}

/** What is wrong with the words of a value; what is said about its key comes first and is left out. */
function labelIssues(key: string, label: string, ofKey: number): string[] {
  const found = mappingIssues(key || '0', label).slice(ofKey)
  // Without a key the sentence has no value to name.
  if (key !== '' || found.length === 0) return found
  if (isBlank(label)) return [t('说明不能为空')]
  return [t('说明最长 {most} 个字符，收到 {length} 个', { most: maxMappingLabel, length: [...label.trim()].length })]
}

function checkEnum(draft: DefineDraft, path: string, report: Report): void {
  const rows = draft.items
  const counted: RawDefine = {
    type: DataType.enum,
    mapping: Object.fromEntries(rows.map((_, index) => [String(index), 'x'])),
  }
  normaliseDefine(counted, `${path}.items`, (issue) => report(`${path}.items`, issue.text, rows.length === 0))
  const seen = new Map<string, string>()
  for (const { key, value, label } of rows) {
    const own = `${path}.items.${key}`
    const typed = value.trim()
    // Each row alone: a doubled key would swallow the other one.
    const ofKey = typed === '' ? [] : mappingIssues(typed, 'x')
    if (typed === '') report(`${own}.value`, t('键值不能为空'), true)
    for (const text of ofKey) report(`${own}.value`, text)
    for (const text of labelIssues(typed, label, ofKey.length)) report(`${own}.label`, text, isBlank(label))
    const earlier = seen.get(typed)
    if (typed !== '' && earlier !== undefined) {
      report(
        `${own}.value`,
        t('键值 {typed} 与「{earlier}」重复，请换一个未使用的整数', { typed, earlier: earlier || typed }),
      )
    }
    if (typed !== '') seen.set(typed, label)
  }
}

const plain = { type: DataType.timestamp } as const

function checkMembers(members: readonly MemberDraft[], path: string, depth: number, report: Report): void {
  const seen = new Map<string, string>()
  for (const { key, identifier, name, define } of members) {
    const own = `${path}.${key}`
    checkIdentifier(identifier, own, said(report, isBlank(identifier)))
    checkName(name, own, said(report, isBlank(name)))
    const earlier = seen.get(identifier)
    if (identifier !== '' && earlier !== undefined) {
      const pair = [identifier, identifier].map((one) => ({ identifier: one, path: `${own}.identifier` }))
      checkUnique(pair, said(report))
    }
    seen.set(identifier, own)
    checkDefine(define, `${own}.define`, depth, report)
  }
}

function checkStruct(draft: DefineDraft, path: string, depth: number, report: Report): void {
  // Only the number of members is asked about: the stand-ins are without fault.
  const specs: Spec[] = draft.members.map((_, index) => ({ identifier: `m${index}`, name: 'x', dataType: plain }))
  normaliseDefine({ type: DataType.struct, specs }, path, (issue) =>
    report(`${path}.members`, issue.text, draft.members.length === 0),
  )
  checkMembers(draft.members, `${path}.members`, depth + 1, report)
}

function checkDefine(draft: DefineDraft, path: string, depth: number, report: Report): void {
  let fits = true
  normaliseDefine(
    plain,
    `${path}.type`,
    (issue) => {
      fits = false
      report(issue.path, issue.text)
    },
    depth,
  )
  if (!fits) return
  switch (draft.type) {
    case DataType.int:
    case DataType.float:
      checkNumber(draft, path, report)
      break
    case DataType.bool:
      checkBool(draft, path, report)
      break
    case DataType.enum:
      checkEnum(draft, path, report)
      break
    case DataType.string:
      normaliseDefine(toDefine(draft), path, (issue) => report(`${path}.length`, issue.text))
      break
    case DataType.timestamp:
      break
    case DataType.struct:
      checkStruct(draft, path, depth, report)
      break
    case DataType.array:
      if (draft.element) checkDefine(draft.element, `${path}.element`, depth + 1, report)
  }
}

/** The words of the contract for the description and for too many parameters; stand-ins for the rest. */
function checkCommon(desc: string, members: readonly MemberDraft[], list: string, report: Report): void {
  const params = members.map((_, index) => ({ identifier: `p${index}`, name: 'x', define: plain }))
  const event = { identifier: 'x', name: 'x', desc, required: false, type: EventType.info, params }
  normaliseEvent(event, '', ({ path, text }) => report(path === 'params' ? list : path, text))
}

function checkParams(draft: FunctionDraft, list: 'params' | 'input' | 'output', report: Report): void {
  checkCommon('', draft[list], list, report)
  checkMembers(draft[list], list, 1, report)
}

function checkParts(draft: FunctionDraft, report: Report): void {
  switch (draft.type) {
    case FunctionType.property:
      checkDefine(draft.define, 'define', 1, report)
      break
    case FunctionType.event:
      checkParams(draft, 'params', report)
      break
    case FunctionType.action:
      checkParams(draft, 'input', report)
      checkParams(draft, 'output', report)
      break
  }
}

/** @param taken identifiers of the other functions of the product, with their names */
export function checkDraft(draft: FunctionDraft, taken: ReadonlyMap<string, string>): DraftIssue[] {
  const issues: DraftIssue[] = []
  const report: Report = (path, text, blank = false) => void issues.push({ path, text, blank })
  checkName(draft.name, '', said(report, isBlank(draft.name)))
  checkIdentifier(draft.identifier, '', said(report, isBlank(draft.identifier)))
  const owner = taken.get(draft.identifier)
  if (owner !== undefined)
    report('identifier', t('标识符 {identifier} 已被「{owner}」使用', { identifier: draft.identifier, owner }))
  checkCommon(draft.desc, [], '', report)
  checkParts(draft, report)
  if (issues.length > 0) return issues
  // Whatever the walk above might have missed: the server would say it, so it is said here, without a field.
  const verdict = fromItem(toItem(draft))
  return verdict.ok ? [] : verdict.issues.map(({ text }) => ({ path: '', text, blank: false }))
}
