/** What somebody fills in for a new upgrade, and the body it becomes. Pure. */

import { describeIssue } from '@ithings/contract/describe-issue.ts'
import { dayMs, hourMs, minuteMs } from '@ithings/contract/durations.ts'
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import type { Firmware } from '@ithings/contract/features/ota/firmware.ts'
import {
  type createOtaTask,
  OtaScope,
  type OtaStage,
  OtaStrategy,
  type OtaTask,
  otaLimits,
  otaTaskBody,
  VersionSource,
} from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import type { DeviceRowsFilter } from '#blocks/device-choice/device-rows-query.ts'

/** What most begin with: few devices first, then a tenth, then all. */
export const usualStages: OtaStage[] = [
  { percent: 1, successPercent: 95, failPercent: 10 },
  { percent: 10, successPercent: 95, failPercent: 10 },
  { percent: 100, successPercent: 90, failPercent: 10 },
]

export const emptyDraft = {
  productID: '',
  firmwareID: undefined as number | undefined,
  upgradeType: OtaStrategy.static as OtaStrategy,
  type: OtaScope.all as OtaScope,
  /** Of part: by names or by group. */
  by: 'devices' as 'devices' | 'group',
  deviceList: [] as string[],
  groupID: '',
  source: VersionSource.cache as VersionSource,
  versionList: [] as string[],
  /** Milliseconds; undefined: at once, no end. */
  start: undefined as number | undefined,
  finish: undefined as number | undefined,
  /** null: the field was emptied. */
  maximumPerMinute: 50 as number | null,
  timeoutInMinutes: 60 as number | null,
  retryCount: 0 as number | null,
  retryInterval: 10 as number | null,
  overwrite: false,
  stages: usualStages,
  probationMinutes: 0 as number | null,
  note: '',
}

export type TaskDraft = typeof emptyDraft & {
  /** Instead of names. */
  filter?: DeviceRowsFilter | undefined
}

export interface StepProps {
  draft: TaskDraft
  change: (patch: Partial<TaskDraft>) => void
  /** Empty until somebody wanted to go on. */
  problems: Problems
  firmware: Firmware | undefined
}

/** The wire's JSON array texts (http-api.md 7); "" and what cannot be read are empty lists. */
function readTextList(text: string): string[] {
  if (text.trim() === '') return []
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** A task once more; its times have passed, so it begins at once. */
export function copyOf(task: OtaTask): TaskDraft {
  const deviceList = readTextList(task.srcDevice)
  return {
    ...emptyDraft,
    productID: task.productID,
    firmwareID: task.firmwareID,
    upgradeType: task.upgradeType === OtaStrategy.dynamic ? OtaStrategy.dynamic : OtaStrategy.static,
    type: task.type === OtaScope.part ? OtaScope.part : OtaScope.all,
    by: task.groupID !== '' && deviceList.length === 0 ? 'group' : 'devices',
    deviceList,
    groupID: task.groupID,
    source: task.source === VersionSource.device ? VersionSource.device : VersionSource.cache,
    versionList: readTextList(task.srcVersion),
    maximumPerMinute: task.maximumPerMinute,
    timeoutInMinutes: task.timeoutInMinutes,
    retryCount: task.retryCount,
    retryInterval: task.retryInterval,
    overwrite: task.isOverwriteMode === 1,
    stages: task.stages.map(({ percent, successPercent, failPercent }) => ({ percent, successPercent, failPercent })),
    probationMinutes: task.probationMinutes,
    note: task.note,
  }
}

const seconds = (ms: number | undefined): number => (ms === undefined ? 0 : Math.floor(ms / 1000))

export function bodyOf(draft: TaskDraft): BodyInput<typeof createOtaTask> {
  const part = draft.type === OtaScope.part
  const byGroup = part && draft.by === 'group'
  return {
    firmwareID: draft.firmwareID ?? 0,
    type: draft.type,
    upgradeType: draft.upgradeType,
    deviceList: part && !byGroup && !draft.filter ? draft.deviceList : [],
    ...(part && !byGroup && draft.filter && { filter: draft.filter }),
    versionList: draft.versionList,
    ...(byGroup && draft.groupID && { groupID: draft.groupID }),
    source: draft.source,
    scheduleTime: seconds(draft.start),
    scheduleFinishTime: seconds(draft.finish),
    maximumPerMinute: draft.maximumPerMinute ?? 0,
    timeoutInMinutes: draft.timeoutInMinutes ?? 0,
    retryCount: draft.retryCount ?? 0,
    retryInterval: draft.retryInterval ?? 0,
    isOverwriteMode: draft.overwrite ? 1 : 2,
    stages: draft.stages,
    probationMinutes: draft.probationMinutes ?? 0,
    note: draft.note,
  }
}

const stageRule = '比例须在 0.01 到 100 之间，阈值须是 0 到 100 的整数'

export type Problems = Readonly<Record<string, string>>

const labels: Record<string, string> = {
  firmwareID: '固件',
  deviceList: '设备',
  versionList: '待升级版本',
  maximumPerMinute: '推送速率',
  timeoutInMinutes: '单设备超时',
  retryCount: '重试次数',
  retryInterval: '重试间隔',
  probationMinutes: '观察期',
  stages: '阶段',
  note: '备注',
}

/** screens.md 22: a start 5 minutes to 7 days ahead, an end at least an hour after it and within 30 days. */
function timeProblems({ start, finish }: TaskDraft, now: number): [string, string][] {
  const found: [string, string][] = []
  if (start !== undefined && (start < now + 5 * minuteMs || start > now + 7 * dayMs)) {
    found.push(['start', t('开始时间须在 5 分钟之后、7 天之内')])
  }
  const from = Math.max(start ?? now, now)
  if (finish !== undefined && (finish < from + hourMs || finish > from + otaLimits.days * dayMs)) {
    found.push(['finish', t('截止时间须在开始之后 1 小时到 {days} 天之间', { days: otaLimits.days })])
  }
  return found
}

/** What is wrong, by field; the contract judges what it can. @param target the version of the package */
export function problemsOf(draft: TaskDraft, now: number, target?: string): Problems {
  const found: [string, string][] = []
  if (draft.firmwareID === undefined) found.push(['firmwareID', t('请选择固件')])
  if (target !== undefined && draft.versionList.includes(target)) {
    found.push(['versionList', t('不能包含目标版本 {version}', { version: target })])
  }
  found.push(...timeProblems(draft, now))
  const parsed = otaTaskBody.safeParse({ ...bodyOf(draft), firmwareID: draft.firmwareID ?? 1 })
  for (const issue of parsed.error?.issues ?? []) {
    const field = String(issue.path[0] ?? '')
    const label = labels[field]
    if (field === 'stages' && issue.path.length > 1) found.push([field, t(stageRule)])
    // Rules over several fields are whole sentences already.
    else found.push([field, issue.code === 'custom' ? t(issue.message) : describeIssue(issue, label && t(label))])
  }
  // The first word about a field is the plainest.
  return Object.fromEntries(found.reverse())
}

const stepFields = [
  ['firmwareID', 'upgradeType', 'note'],
  ['type', 'deviceList', 'versionList', 'source'],
  [
    'start',
    'finish',
    'maximumPerMinute',
    'timeoutInMinutes',
    'retryCount',
    'retryInterval',
    'stages',
    'probationMinutes',
  ],
] as const

/** Problems of one step of the form. */
export const stepProblems = (problems: Problems, step: number): string[] =>
  (stepFields[step] ?? []).flatMap((field) => problems[field] ?? [])
