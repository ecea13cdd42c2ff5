import type { Param } from '@ithings/contract/thing-model/define.ts'
import { useId } from 'react'
import { MemberForm } from './value-input.tsx'
import type { ValueIssues } from './value-issues.ts'

interface ParamsFormProps {
  params: readonly Param[]
  values: Record<string, unknown>
  onChange: (values: Record<string, unknown>) => void
  issues?: ValueIssues | undefined
  disabled?: boolean | undefined
}

/** One control for each parameter: the input of an action, the properties of a command. */
export const ParamsForm = ({ params, ...form }: ParamsFormProps) => (
  <MemberForm {...form} id={useId()} members={params} />
)
