import type { Faults } from '../../draft/check-draft.ts'
import type { Reach, TaskDraft } from '../../draft/task-draft.ts'

export interface ReachView {
  /** undefined: not asked for, or on its way. */
  reach: Reach | undefined
  loading: boolean
  error: unknown
  retry: () => void
}

export interface StepProps {
  draft: TaskDraft
  change: (patch: Partial<TaskDraft>) => void
  /** Of this step, once somebody tried to leave it. */
  faults: Faults
  reach: ReachView
}
