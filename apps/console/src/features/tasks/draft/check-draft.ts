/** What is wrong with a draft, field by field: the contract's own schema first, then what only a model or a clock knows. Pure. */

import { describeIssue } from '@ithings/contract/describe-issue.ts'
import { maxCommandText } from '@ithings/contract/features/commands.ts'
import { TaskSchedule, TaskType, taskBody } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { callableOf, valuesOfText, writableOf } from '#blocks/model-form/command-text.ts'
import { checkParams } from '#blocks/model-form/value-issues.ts'
import { jsonProblem } from '#kit/json-input.ts'
import { bodyOf, type TaskDraft } from './task-draft.ts'

export type TaskField = keyof TaskDraft
export type Faults = ReadonlyMap<TaskField, string>

export const fieldLabels: Record<TaskField, string> = {
  taskName: '任务名称',
  desc: '说明',
  taskType: '任务类型',
  productID: '产品',
  targetType: '设备范围',
  deviceNames: '设备',
  filter: '筛选条件',
  groupID: '分组',
  includeChildren: '含子分组',
  onlineOnly: '仅在线设备',
  data: '属性',
  actionID: '行为',
  inputParams: '参数',
  configID: '配置版本',
  shadowControl: '离线策略',
  scheduleType: '执行方式',
  runAt: '执行时间',
  cron: 'Cron 表达式',
  validStart: '有效期',
  validEnd: '有效期',
  timeout: '单设备超时',
  retryCount: '失败重试次数',
  retryInterval: '重试间隔',
  rate: '下发速率',
  failStop: '失败率熔断',
}

export const steps = ['基本', '目标', '内容', '执行'] as const
const fieldsOfStep: readonly (readonly TaskField[])[] = [
  ['taskName', 'taskType', 'productID', 'desc'],
  ['targetType', 'deviceNames', 'filter', 'groupID', 'includeChildren', 'onlineOnly'],
  ['data', 'actionID', 'inputParams', 'configID', 'shadowControl'],
  [
    'scheduleType',
    'runAt',
    'cron',
    'validStart',
    'validEnd',
    'timeout',
    'retryCount',
    'retryInterval',
    'rate',
    'failStop',
  ],
]

const isField = (name: unknown): name is TaskField => typeof name === 'string' && name in fieldLabels

function schemaFaults(draft: TaskDraft): Map<TaskField, string> {
  const found = new Map<TaskField, string>()
  if (draft.productID === '') found.set('productID', t('请选择产品'))
  for (const issue of taskBody.safeParse(bodyOf(draft)).error?.issues ?? []) {
    const [name] = issue.path
    if (!isField(name) || found.has(name)) continue
    found.set(name, issue.code === 'custom' ? t(issue.message) : describeIssue(issue, t(fieldLabels[name])))
  }
  return found
}

const textFault = (text: string): string | undefined => {
  if (text.length > maxCommandText)
    return t('不能超过 {most, number} 个字符，现在 {now, number} 个', { most: maxCommandText, now: text.length })
  return jsonProblem(text)?.message
}

type Params = Parameters<typeof checkParams>[0]

/** @param strange says that a name is none of them */
function valuesFault(text: string, params: Params, strange: (name: string) => string): string | undefined {
  const values = valuesOfText(text) ?? {}
  const other = Object.keys(values).find((name) => !params.some(({ identifier }) => identifier === name))
  return other === undefined ? [...checkParams(params, values).values()][0] : strange(other)
}

const objectFault = (text: string): string | undefined =>
  textFault(text) ?? (valuesOfText(text) ? undefined : t('必须是 JSON 对象'))

function propertyFault({ data }: TaskDraft, model: ThingModel | undefined): string | undefined {
  const values = valuesOfText(data) ?? {}
  const problem = objectFault(data) ?? (Object.keys(values).length === 0 ? t('至少选择一个属性') : undefined)
  if (problem || !model) return problem
  const chosen = writableOf(model).filter(({ identifier }) => identifier in values)
  return valuesFault(data, chosen, (name) => t('「{name}」不是可写的属性', { name }))
}

function inputFault({ inputParams, actionID }: TaskDraft, model: ThingModel | undefined): string | undefined {
  const problem = objectFault(inputParams)
  const action = model && callableOf(model).find(({ identifier }) => identifier === actionID)
  return problem || !action
    ? problem
    : valuesFault(inputParams, action.input, (name) => t('「{name}」不是这个行为的参数', { name }))
}

const leastLead = 60_000

/**
 * @param model of the product, once it is known
 * @param now milliseconds
 */
export function checkDraft(draft: TaskDraft, model: ThingModel | undefined, now: number): Faults {
  const found = schemaFaults(draft)
  const add = (field: TaskField, text: string | undefined) => {
    if (text !== undefined && !found.has(field)) found.set(field, text)
  }
  if (draft.taskType === TaskType.property) add('data', propertyFault(draft, model))
  if (draft.taskType === TaskType.action && draft.actionID !== '') {
    const known = !model || callableOf(model).some(({ identifier }) => identifier === draft.actionID)
    add('actionID', known ? undefined : t('物模型里没有行为「{actionID}」', { actionID: draft.actionID }))
    add('inputParams', inputFault(draft, model))
  }
  if (draft.taskType === TaskType.config) add('configID', draft.configID > 0 ? undefined : t('请选择配置版本'))
  // screens.md 7.1: at least a minute from now.
  if (draft.scheduleType === TaskSchedule.once && draft.runAt > 0 && draft.runAt * 1000 < now + leastLead) {
    add('runAt', t('执行时间须在 1 分钟之后'))
  }
  if (draft.scheduleType === TaskSchedule.cron && draft.validEnd > 0 && draft.validEnd * 1000 < now) {
    add('validEnd', t('有效期已经过去'))
  }
  return found
}

/** @param step from 0; beyond the last one nothing is asked */
export const faultsOfStep = (faults: Faults, step: number): Faults =>
  new Map([...faults].filter(([field]) => fieldsOfStep[step]?.includes(field)))

/** Where the first fault is; undefined: nowhere. */
export function firstFaultyStep(faults: Faults): number | undefined {
  const at = steps.findIndex((_name, step) => faultsOfStep(faults, step).size > 0)
  return at < 0 ? undefined : at
}

/** The step of a field that the server refused. */
export const stepOfField = (name: string): number =>
  Math.max(
    0,
    fieldsOfStep.findIndex((fields) => fields.some((field) => field === name)),
  )
