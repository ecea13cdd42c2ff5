import { JobStatus, jobStatusLabels } from '@ithings/contract/features/jobs.ts'

export const jobStatusOptions = Object.values(JobStatus).map((value) => ({ value, label: jobStatusLabels[value] }))

/** screens.md 0.1: kinds grow with every feature; an unknown one is shown by its own name. */
const kindLabels: Readonly<Record<string, string>> = {
  'device.multi-create': '批量新增设备',
  'device.export': '导出设备',
}

export const kindLabel = (kind: string): string => kindLabels[kind] ?? kind

export const kindOptions = Object.entries(kindLabels).map(([value, label]) => ({ value, label }))
