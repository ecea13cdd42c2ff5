import type { Firmware } from '@ithings/contract/features/ota/firmware.ts'
import type { Problems, TaskDraft } from './task-draft.ts'

export interface StepProps {
  draft: TaskDraft
  change: (patch: Partial<TaskDraft>) => void
  /** Empty until somebody wanted to go on. */
  problems: Problems
  firmware: Firmware | undefined
}
