import { JobStatus, jobStatusLabels } from '@ithings/contract/features/jobs.ts'

export const jobStatusOptions = Object.values(JobStatus).map((value) => ({ value, label: jobStatusLabels[value] }))

/** screens.md 0.1: kinds grow with every feature; an unknown one is shown by its own name. */
const kindLabels: Readonly<Record<string, string>> = {
  'device.multi-create': '批量新增设备',
  'device.export': '导出设备',
  'config.push': '下发远程配置',
  'ota.prepare': '准备升级任务',
  'ota.export': '导出升级设备',
  'task.prepare': '准备设备任务',
  'task.export': '导出任务结果',
  'demo.load': '加载演示数据',
  'demo.remove': '移除演示数据',
}

export const kindLabel = (kind: string): string => kindLabels[kind] ?? kind

export const kindOptions = Object.entries(kindLabels).map(([value, label]) => ({ value, label }))
