import { JobStatus, jobKindLabels, jobStatusLabels } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'

export const jobStatusOptions = Object.values(JobStatus).map((value) => ({ value, label: jobStatusLabels[value] }))

const kindLabels: Readonly<Record<string, string>> = jobKindLabels

/** A kind of a newer or older version is shown by its own name. */
export const kindLabel = (kind: string): string => t(kindLabels[kind] ?? kind)

export const kindOptions = Object.entries(kindLabels).map(([value, label]) => ({ value, label }))
