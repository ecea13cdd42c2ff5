import { FirmwareModule, firmwareModuleLabels } from '@ithings/contract/features/ota/firmware.ts'
import {
  OtaStatus,
  OtaTaskStatus,
  otaStatusLabels,
  otaTaskStatusLabels,
} from '@ithings/contract/features/ota/states.ts'
import { t } from '@ithings/contract/text.ts'
import { looksOf, optionsOf } from '#blocks/rollout/words.ts'
import { lookOf, type StatusLook } from '#kit/status-tag.tsx'

/** spec 4: colours of the device states; higher is a warning because the package does not fit. */
export const otaStatusLooks = looksOf(
  otaStatusLabels,
  {
    [OtaStatus.waiting]: 'default',
    [OtaStatus.pushed]: 'processing',
    [OtaStatus.updating]: 'processing',
    [OtaStatus.failed]: 'error',
    [OtaStatus.success]: 'success',
    [OtaStatus.higher]: 'warning',
    [OtaStatus.cancelled]: 'default',
  },
  [OtaStatus.waiting],
)

/** Of a task by its status alone. */
export const taskLooks = looksOf(otaTaskStatusLabels, { 1: 'default', 2: 'processing', 3: 'success', 4: 'default' }, [
  OtaTaskStatus.waiting,
])

interface TaskState {
  status: number
  paused: number
  haltReason: string
  counts: Readonly<Record<string, number>>
}

export const isTaskOpen = ({ status }: { status: number }): boolean =>
  status === OtaTaskStatus.waiting || status === OtaTaskStatus.running

export const isHalted = (task: Pick<TaskState, 'status' | 'paused' | 'haltReason'>): boolean =>
  isTaskOpen(task) && task.paused === 1 && task.haltReason !== ''

/** screens.md 22: done is a warning when devices failed or were too new; a pause and a halt say so themselves. */
export function taskLook(task: TaskState): StatusLook {
  if (isHalted(task)) return { text: t('已自动停止'), tone: 'error' }
  if (isTaskOpen(task) && task.paused === 1) return { text: t('已暂停'), tone: 'warning' }
  const look = lookOf(taskLooks, task.status)
  const bad = (task.counts[OtaStatus.failed] ?? 0) + (task.counts[OtaStatus.higher] ?? 0)
  return task.status === OtaTaskStatus.done && bad > 0 ? { ...look, tone: 'warning' } : look
}

/** 0 全部 stands in filters only (spec 3). */
export const moduleOptions = optionsOf(firmwareModuleLabels, [
  FirmwareModule.main,
  FirmwareModule.mcu,
  FirmwareModule.wifi,
])
export const signMethodOptions = [
  { value: 'sha256', label: 'SHA-256' },
  { value: 'md5', label: 'MD5' },
]
export const signMethodText = (method: string): string =>
  signMethodOptions.find(({ value }) => value === method.toLowerCase().replace('sha@256', 'sha256'))?.label ?? method

const minute = 60
const hour = 60 * minute

/** 约 22 分钟. */
export function durationText(seconds: number): string {
  if (seconds < minute) return t('不到 1 分钟')
  if (seconds < hour) return t('约 {count} 分钟', { count: Math.ceil(seconds / minute) })
  if (seconds < 48 * hour) {
    const hours = Math.floor(seconds / hour)
    const rest = Math.round((seconds % hour) / minute)
    return rest === 0
      ? t('约 {count} 小时', { count: hours })
      : t('约 {hours} 小时 {minutes} 分钟', { hours, minutes: rest })
  }
  return t('约 {count} 天', { count: Math.ceil(seconds / (24 * hour)) })
}
