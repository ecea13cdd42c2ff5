import {
  DeployStatus,
  deployStatusLabels,
  TaskSchedule,
  TaskType,
  taskScheduleLabels,
  taskTypeLabels,
} from '@ithings/contract/features/tasks.ts'
import type { FilterOption } from '#kit/list-page/list-contract.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'

const optionsOf = (labels: Record<number, string>, values: readonly number[]): FilterOption[] =>
  values.map((value) => ({ value, label: labels[value] ?? String(value) }))

/** spec 4: default, processing, success, error. */
export const deployLooks: StatusLooks = {
  [DeployStatus.waiting]: { text: deployStatusLabels[DeployStatus.waiting], tone: 'default' },
  [DeployStatus.running]: { text: deployStatusLabels[DeployStatus.running], tone: 'processing' },
  [DeployStatus.success]: { text: deployStatusLabels[DeployStatus.success], tone: 'success' },
  [DeployStatus.failed]: { text: deployStatusLabels[DeployStatus.failed], tone: 'error' },
}
export const deployOptions = optionsOf(deployStatusLabels, Object.values(DeployStatus))
export const taskTypeOptions = optionsOf(taskTypeLabels, Object.values(TaskType))
export const scheduleOptions = optionsOf(taskScheduleLabels, Object.values(TaskSchedule))

export const triggerLabels: Record<string, string> = { manual: '手动', timer: '定时' }

/** screens.md 7.1 离线策略. */
export const offlineLabels: Record<number, string> = { 0: '自动写影子', 1: '离线即失败', 2: '只写影子' }
export const offlineHints: Record<number, string> = {
  0: '在线的实时下发，离线的写入影子',
  1: '离线的设备记为失败，可以之后重试',
  2: '不打扰设备，只写影子，等它来取',
}
