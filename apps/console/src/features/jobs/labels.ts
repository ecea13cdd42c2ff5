import { JobStatus, jobStatusLabels } from '@ithings/contract/features/jobs.ts'

export const jobStatusOptions = Object.values(JobStatus).map((value) => ({ value, label: jobStatusLabels[value] }))

/** screens.md 0.1: kinds grow with every feature; an unknown one is shown by its own name. */
const kindLabels: Readonly<Record<string, string>> = {
  'device.multi-create': '批量创建设备',
  'device.export': '设备导出',
}

export const kindLabel = (kind: string): string => kindLabels[kind] ?? kind

export const kindOptions = Object.entries(kindLabels).map(([value, label]) => ({ value, label }))
