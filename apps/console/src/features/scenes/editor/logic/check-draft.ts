/**
 * The live check: the schemas that the server uses (rules/scene-parts.ts), each fault at its field. What the thing
 * models say to what is complete: judge-draft.ts.
 */

import { describeIssue } from '@ithings/contract/describe-issue.ts'
import { AppError } from '@ithings/contract/errors.ts'
import { createScene } from '@ithings/contract/features/scenes/info.ts'
import { deviceTrigger } from '@ithings/contract/rules/device-trigger.ts'
import { sceneLimits } from '@ithings/contract/rules/scene-limits.ts'
import { sceneAction, sceneConditions, timerTrigger } from '@ithings/contract/rules/scene-parts.ts'
import { parseScene } from '@ithings/contract/rules/scene-text.ts'
import { t } from '@ithings/contract/text.ts'
import type * as z from 'zod'
import { refusedPart } from '../../refused-part.ts'
import type { ConditionItem, SceneDraft } from './draft.ts'
import { conditionPart, textsOf } from './draft.ts'

export type Part = 'name' | 'desc' | 'trigger' | 'condition' | 'action'

export interface Fault {
  part: Part
  /** Of the item; the name of the part when it is about the part as a whole. */
  key: string
  /** Field inside the item, like `operationSchema.values`. */
  field: string
  text: string
  /** An empty field asks ("请选择…") and a wrong one states: only the latter is marked from the beginning. */
  asks?: boolean
  /** Where, in words: "触发 1". */
  place: string
}

const fieldNames: Record<string, string> = {
  productID: '产品',
  selectorValues: '设备',
  dataID: '属性',
  values: '比较值',
  termType: '比较',
  minutes: '分钟数',
  minInterval: '最小间隔',
  value: '数值',
  window: '时间窗',
  cron: 'cron 表达式',
  start: '开始时间',
  end: '结束时间',
  time: '时间',
  sceneID: '场景',
  title: '标题',
  content: '内容',
  name: '名称',
  desc: '说明',
  '': '内容',
}

/** Empty fields of ours say what to do, whatever the schema complains about. */
const emptyTexts: Record<string, string> = {
  productID: '请选择产品',
  dataID: '请选择属性',
  sceneID: '请选择场景',
  time: '请填写时间',
  name: '请填写名称',
}

type Issue = z.core.$ZodIssue

const isEmptyIssue = (issue: Issue) =>
  issue.code === 'too_small' || (issue.code === 'invalid_type' && issue.message.includes('received undefined'))

/** Schemas hold the Chinese words, and those that ask begin like this. */
const asking = '请' // not a text: a word that is looked for

function wordsOf(issue: Issue): Pick<Fault, 'text' | 'asks'> {
  const field = String(issue.path.findLast((step) => typeof step === 'string') ?? '')
  const empty = emptyTexts[field]
  if (empty && isEmptyIssue(issue)) return { text: t(empty), asks: true }
  // Sentences of our own refinements need no field in front of them.
  if (issue.code === 'custom' && issue.message !== 'Invalid input') {
    return { text: t(issue.message), asks: issue.message.startsWith(asking) }
  }
  return { text: describeIssue(issue, t(fieldNames[field] ?? field)) }
}

const fieldOf = (path: readonly PropertyKey[]): string => path.map(String).join('.')

function faultsOf(schema: z.ZodType, value: unknown, at: Omit<Fault, 'field' | 'text'>): Fault[] {
  const result = schema.safeParse(value)
  if (result.success) return []
  return result.error.issues.map((issue) => ({ ...at, field: fieldOf(issue.path), ...wordsOf(issue) }))
}

/** From a path of the list of conditions to the item that it lies in: [0, 'terms', 1, 'columnSchema', 'values']. */
function locate(list: readonly ConditionItem[], path: readonly PropertyKey[]): { key: string; field: string } {
  const [index, word, ...rest] = path
  const item = typeof index === 'number' ? list[index] : undefined
  if (!item) return { key: 'condition', field: '' }
  if (word === 'terms' && typeof rest[0] === 'number') return locate(item.terms, rest)
  return { key: item.key, field: fieldOf(path.slice(1)) }
}

function conditionFaults({ conditions }: SceneDraft): Fault[] {
  const result = sceneConditions.safeParse(conditions.map(conditionPart))
  if (result.success) return []
  return result.error.issues.map((issue) => ({
    part: 'condition' as const,
    ...locate(conditions, issue.path),
    ...wordsOf(issue),
    place: t('条件'),
  }))
}

function triggerFaults({ triggerType, triggers, cron }: SceneDraft): Fault[] {
  const whole = { part: 'trigger' as const, key: 'trigger', place: t('触发') }
  if (triggerType === 'timer') return faultsOf(timerTrigger, { type: 'cron', cron }, whole).slice(0, 1)
  if (triggerType === 'manual') return []
  if (triggers.length === 0) return [{ ...whole, field: '', text: t('至少需要一个触发') }]
  const many: Fault[] =
    triggers.length > sceneLimits.triggers
      ? [{ ...whole, field: '', text: t('最多 {count} 个触发', { count: sceneLimits.triggers }) }]
      : []
  return [
    ...many,
    ...triggers.flatMap(({ key, part }, index) =>
      faultsOf(deviceTrigger, part, { part: 'trigger', key, place: t('触发 {index}', { index: index + 1 }) }),
    ),
  ]
}

const actionFaults = ({ actions }: SceneDraft): Fault[] => [
  ...(actions.length > sceneLimits.actions
    ? [
        {
          part: 'action' as const,
          key: 'action',
          field: '',
          place: t('动作'),
          text: t('最多 {count} 个动作', { count: sceneLimits.actions }),
        },
      ]
    : []),
  ...actions.flatMap(({ key, part }, index) =>
    faultsOf(sceneAction, part, { part: 'action', key, place: t('动作 {index}', { index: index + 1 }) }),
  ),
]

/** Only where the parts found nothing: the platform's own last word. */
function lastWord(draft: SceneDraft): Fault[] {
  try {
    parseScene(textsOf(draft))
    return []
  } catch (error) {
    const text = error instanceof AppError ? refusedPart(error) : t('内容不完整')
    return [{ part: 'action', key: 'action', field: '', place: t('场景'), text }]
  }
}

export function checkDraft(draft: SceneDraft): Fault[] {
  const { name, desc } = createScene.body.shape
  const faults = [
    ...faultsOf(name, draft.name, { part: 'name', key: 'name', place: t('名称') }).map((one) =>
      draft.name.trim() === '' ? { ...one, text: t('请填写名称') } : { ...one, text: t('名称最长 64 个字符') },
    ),
    ...faultsOf(desc, draft.desc, { part: 'desc', key: 'desc', place: t('说明') }).map((one) => ({
      ...one,
      text: t('说明最长 200 个字符'),
    })),
    ...triggerFaults(draft),
    ...conditionFaults(draft),
    ...actionFaults(draft),
  ]
  return faults.length > 0 ? faults : lastWord(draft)
}

/** The fault of a field of an item; `field` may be the beginning of the place. */
export const findFault = (faults: readonly Fault[], key: string, field: string): Fault | undefined =>
  faults.find((one) => one.key === key && (one.field === field || one.field.startsWith(`${field}.`)))

export const faultAt = (faults: readonly Fault[], key: string, field: string): string | undefined =>
  findFault(faults, key, field)?.text
