/** How a task reads in a row, and what may be done with it. Pure. */

import type { TaskRun } from '@ithings/contract/features/task-results.ts'
import {
  cancelledText,
  DeployStatus,
  type DeviceTask,
  TaskSchedule,
  TaskTarget,
  taskScheduleLabels,
} from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import type { ProgressPart } from '#blocks/stacked-progress.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'

const disabled = 2

/** screens.md 7: 指定设备（12） / 产品全部 / 分组「x」. */
export function targetText(
  task: Pick<DeviceTask, 'targetType' | 'targetCount' | 'targetName'> & { includeChildren?: boolean },
): string {
  if (task.targetType === TaskTarget.devices) return t('指定设备（{count, number}）', { count: task.targetCount })
  if (task.targetType === TaskTarget.product) return t('产品全部')
  return t('分组「{name}」', { name: task.targetName })
}

type Scheduled = Pick<DeviceTask, 'scheduleType' | 'runAt' | 'cron'>
export function scheduleText({ scheduleType, runAt, cron }: Scheduled): string {
  const word = labelOf(taskScheduleLabels, scheduleType)
  if (scheduleType === TaskSchedule.once) return `${word} ${formatTime(runAt)}`
  return scheduleType === TaskSchedule.cron ? `${word} ${cron}` : word
}

type Counted = Pick<DeviceTask, 'total' | 'success' | 'failed' | 'status'>

/** What is neither good nor bad yet is on its way once the task runs. */
export function progressParts({ total, success, failed, status }: Counted): ProgressPart[] {
  const rest = Math.max(0, total - success - failed)
  return [
    { label: t('成功'), value: success, tone: 'success' },
    { label: t('失败'), value: failed, tone: 'error' },
    { label: t('未完成'), value: status === DeployStatus.running ? rest : 0, tone: 'pushed' },
  ]
}

export const percentOf = (part: number, total: number): number =>
  total > 0 ? Math.min(100, Math.floor((part / total) * 100)) : 0

export const isCron = (task: Pick<DeviceTask, 'scheduleType'>): boolean => task.scheduleType === TaskSchedule.cron
export const isDisabled = (task: Pick<DeviceTask, 'scheduleType' | 'isEnable'>): boolean =>
  isCron(task) && task.isEnable === disabled

/** Under the status: 已停用, or why it ended as it did. */
export function statusNote(task: Pick<DeviceTask, 'scheduleType' | 'isEnable' | 'status' | 'reason'>): string {
  if (isDisabled(task)) return task.reason ? t('已停用：{reason}', { reason: task.reason }) : t('已停用')
  // What was cancelled is the moment it was set for; the run before it was a success.
  const cancelled = task.reason === cancelledText || task.reason === t(cancelledText)
  return cancelled && task.status === DeployStatus.success ? t('定时执行已取消') : task.reason
}

type Acted = Pick<
  DeviceTask,
  'scheduleType' | 'isEnable' | 'status' | 'failed' | 'total' | 'success' | 'lastRunID' | 'runAt' | 'nextRunTime'
>

/**
 * The run that is meant; '': the latest one that took place, which is the one whose devices the server shows. Lines of
 * moments that were skipped are newer than the run that was in their way.
 */
export const runOf = (
  runs: readonly TaskRun[],
  { lastRunID }: Pick<DeviceTask, 'lastRunID'>,
  runID: string,
): TaskRun | undefined => runs.find((run) => run.runID === (runID || lastRunID))

/**
 * The task as the run that is looked at has left it: an earlier run may have been opened again by retries, and what is
 * offered above its devices is about them.
 */
export const asOfRun = <T extends Acted>(
  task: T,
  run: Pick<TaskRun, 'status' | 'total' | 'success' | 'failed'>,
): T => ({
  ...task,
  status: run.status,
  total: run.total,
  success: run.success,
  failed: run.failed,
  // The moment that is still to come belongs to the task, not to this run.
  nextRunTime: 0,
})

const isUnder = (task: Acted) =>
  task.status === DeployStatus.running || (task.status === DeployStatus.waiting && task.lastRunID !== '')

/** Set for a moment that is still to come, although it may have been run by hand before. */
const isPlanned = ({ scheduleType, nextRunTime }: Pick<Acted, 'scheduleType' | 'nextRunTime'>) =>
  scheduleType === TaskSchedule.once && nextRunTime > 0

/** Said when devices were tried again. */
export const retriedText = ({ done }: { done: number }): string => t('已重新下发 {count, number} 台', { count: done })

/** screens.md 7.3: said before it is done. */
export const cancelText = '还没有下发的设备不再下发。已经下发的指令无法撤回，设备可能仍会执行，这里记为「已取消」。'

/** Of a whole task: the moment it waits for does not come either. */
export function cancelTaskText(task: Acted): string {
  if (!isPlanned(task)) return t(cancelText)
  const time = formatTime(task.nextRunTime)
  return isUnder(task)
    ? t(
        '还没有下发的设备不再下发。已经下发的指令无法撤回，设备可能仍会执行，这里记为「已取消」。{time} 的定时执行不再进行。',
        { time },
      )
    : t('{time} 的定时执行不再进行。', { time })
}

/** screens.md 7.3; undefined: it may. The server decides again. */
export const whyNot = {
  edit: (task: Acted): string | undefined => {
    if (isDisabled(task)) return undefined
    if (task.status === DeployStatus.waiting && task.lastRunID === '') return undefined
    return isCron(task) ? t('周期任务停用后才能编辑') : t('只有还没有执行的任务可以编辑，可复制为新任务')
  },
  run: (task: Acted): string | undefined => (isUnder(task) ? t('正在执行，完成或取消后再执行') : undefined),
  retry: (task: Acted): string | undefined => (task.failed > 0 ? undefined : t('没有失败的设备')),
  cancel: (task: Acted): string | undefined => {
    if (isUnder(task) || isPlanned(task)) return undefined
    if (task.status === DeployStatus.waiting) return isCron(task) ? t('还没有执行；不再执行请停用') : undefined
    return t('已经结束')
  },
  /** screens.md 7: only 3, 4 or disabled. */
  remove: (task: Acted): string | undefined => {
    if (isUnder(task)) return t('正在执行，请先取消')
    if (isDisabled(task)) return undefined
    if (isCron(task)) return t('周期任务请先停用')
    return task.status === DeployStatus.waiting || isPlanned(task) ? t('等待执行，请先取消') : undefined
  },
}

/** 1.2 s between sending and the answer; '' when one of them is missing. */
export function tookText(sentTime: number, doneTime: number): string {
  if (sentTime <= 0 || doneTime < sentTime) return ''
  const took = doneTime - sentTime
  if (took < 1000) return `${took} ms`
  if (took < 60_000) return `${(took / 1000).toFixed(1)} s`
  return t('{minutes} 分 {seconds} 秒', {
    minutes: Math.floor(took / 60_000),
    seconds: Math.round((took % 60_000) / 1000),
  })
}
