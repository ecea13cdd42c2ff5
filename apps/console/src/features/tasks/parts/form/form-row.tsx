import { t } from '@ithings/contract/text.ts'
import { WizardField, type WizardFieldProps } from '#blocks/rollout/wizard.tsx'
import { type Faults, fieldLabels, type TaskField } from '../../draft/check-draft.ts'
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

interface FormRowProps extends Omit<WizardFieldProps, 'label' | 'problem'> {
  field: TaskField
  label?: string
  faults: Faults
}

/** The control of a field, with its name and what is wrong with it. */
export const FormRow = ({ field, faults, label = t(fieldLabels[field]), ...props }: FormRowProps) => (
  <WizardField label={label} problem={faults.get(field)} {...props} />
)
