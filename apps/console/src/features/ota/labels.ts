import {
  FirmwareModule,
  firmwareModuleLabels,
  PackageKind,
  packageKindLabels,
} from '@ithings/contract/features/ota/firmware.ts'
import {
  OtaStatus,
  OtaTaskStatus,
  otaStatusLabels,
  otaTaskStatusLabels,
} from '@ithings/contract/features/ota/states.ts'
import {
  OtaScope,
  OtaStrategy,
  otaScopeLabels,
  otaStrategyLabels,
  VersionSource,
  versionSourceLabels,
} from '@ithings/contract/features/ota/task.ts'
import type { StatusLook, StatusLooks } from '#kit/status-tag.tsx'

/** spec 4: colours of the device states; higher is a warning because the package does not fit. */
export const otaStatusLooks: StatusLooks = {
  [OtaStatus.waiting]: { text: otaStatusLabels[OtaStatus.waiting], tone: 'default', ring: true },
  [OtaStatus.pushed]: { text: otaStatusLabels[OtaStatus.pushed], tone: 'processing' },
  [OtaStatus.updating]: { text: otaStatusLabels[OtaStatus.updating], tone: 'processing' },
  [OtaStatus.failed]: { text: otaStatusLabels[OtaStatus.failed], tone: 'error' },
  [OtaStatus.success]: { text: otaStatusLabels[OtaStatus.success], tone: 'success' },
  [OtaStatus.higher]: { text: otaStatusLabels[OtaStatus.higher], tone: 'warning' },
  [OtaStatus.cancelled]: { text: otaStatusLabels[OtaStatus.cancelled], tone: 'default' },
}

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
  if (isHalted(task)) return { text: '已自动停止', tone: 'error' }
  if (isTaskOpen(task) && task.paused === 1) return { text: '已暂停', tone: 'warning' }
  switch (task.status) {
    case OtaTaskStatus.waiting:
      return { text: otaTaskStatusLabels[1], tone: 'default', ring: true }
    case OtaTaskStatus.running:
      return { text: otaTaskStatusLabels[2], tone: 'processing' }
    case OtaTaskStatus.done: {
      const bad = (task.counts[OtaStatus.failed] ?? 0) + (task.counts[OtaStatus.higher] ?? 0)
      return { text: otaTaskStatusLabels[3], tone: bad > 0 ? 'warning' : 'success' }
    }
    case OtaTaskStatus.cancelled:
      return { text: otaTaskStatusLabels[4], tone: 'default' }
    default:
      return { text: `未知（${task.status}）`, tone: 'default' }
  }
}

const optionsOf = <V extends number>(values: readonly V[], labels: Record<V, string>) =>
  values.map((value) => ({ value, label: labels[value] }))

/** 0 全部 stands in filters only (spec 3). */
export const moduleOptions = optionsOf(
  [FirmwareModule.main, FirmwareModule.mcu, FirmwareModule.wifi],
  firmwareModuleLabels,
)
export const packageKindOptions = optionsOf(Object.values(PackageKind), packageKindLabels)
export const taskStatusOptions = optionsOf(Object.values(OtaTaskStatus), otaTaskStatusLabels)
export const scopeOptions = optionsOf(Object.values(OtaScope), otaScopeLabels)
export const strategyOptions = optionsOf(Object.values(OtaStrategy), otaStrategyLabels)
export const sourceOptions = optionsOf(Object.values(VersionSource), versionSourceLabels)
export const signMethodOptions = [
  { value: 'sha256', label: 'SHA-256' },
  { value: 'md5', label: 'MD5' },
]
export const signMethodText = (method: string): string =>
  signMethodOptions.find(({ value }) => value === method.toLowerCase().replace('sha@256', 'sha256'))?.label ?? method

const units = ['B', 'KB', 'MB', 'GB'] as const

/** 1.4 MB: three figures at most, so that a column of sizes stays narrow. */
export function sizeText(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : Number(size.toFixed(1))} ${units[unit]}`
}

const minute = 60
const hour = 60 * minute

/** 约 22 分钟. */
export function durationText(seconds: number): string {
  if (seconds < minute) return '不到 1 分钟'
  if (seconds < hour) return `约 ${Math.ceil(seconds / minute)} 分钟`
  if (seconds < 48 * hour) {
    const hours = Math.floor(seconds / hour)
    const rest = Math.round((seconds % hour) / minute)
    return rest === 0 ? `约 ${hours} 小时` : `约 ${hours} 小时 ${rest} 分钟`
  }
  return `约 ${Math.ceil(seconds / (24 * hour))} 天`
}
