import { DataType, type Define } from '@ithings/contract/thing-model/define.ts'
import type { ReactNode } from 'react'
import { under, type ValueIssues } from './value-issues.ts'

export interface ValueInputProps {
  define: Define
  /** As it goes over the wire; undefined: not given. */
  value: unknown
  onChange: (value: unknown) => void
  /** Names the control for those who cannot see its place. */
  label: string
  /** Of the control; members and elements derive theirs from it. */
  id: string
  issues?: ValueIssues
  /** Its place in `issues`. */
  path?: string
  disabled?: boolean
}

export interface GroupInputProps extends ValueInputProps {
  /** Draws a part. Handed in, because the control that knows all types draws the groups too. */
  renderValue: (props: ValueInputProps) => ReactNode
}

/** Struct and array have no single control that a label could point to. */
export const isGroup = (define: Define): boolean => define.type === DataType.struct || define.type === DataType.array

/** The props of a member or element. */
export const partOf = (
  group: ValueInputProps,
  part: string | number,
  own: Pick<ValueInputProps, 'define' | 'value' | 'onChange' | 'label'>,
): ValueInputProps => ({
  ...own,
  id: `${group.id}-${part}`,
  path: under(group.path ?? '', part),
  ...(group.issues && { issues: group.issues }),
  ...(group.disabled !== undefined && { disabled: group.disabled }),
})
