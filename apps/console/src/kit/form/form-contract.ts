import type { FormInstance } from 'antd'
import type { ReactNode } from 'react'
import type * as z from 'zod'
import type { FieldSpec } from './field.tsx'

export interface FormDialogProps<S extends z.ZodObject> {
  title: string
  open: boolean
  onClose: () => void
  /** The contract's body schema: the server checks with the same one. */
  schema: S
  initialValues?: Partial<z.input<S>> | undefined
  /** Resolve = saved, the dialog closes. Reject = stays open and shows why. */
  onSubmit: (values: z.output<S>, alternative: boolean) => Promise<unknown>
  /** Fields as children (`<Field>`), or as data. */
  children?: ReactNode | ((form: FormInstance) => ReactNode)
  fields?: readonly FieldSpec[]
  submitText?: string
  /** Words of a second button that saves too, and does more than that. */
  alternativeText?: string | undefined
  /** Left part of the footer, for example a delete button. */
  footerExtra?: ReactNode
  width?: number
  /** Overrides the preference (modal) or labels above (drawer). */
  layout?: 'horizontal' | 'vertical'
  /** Nothing can be changed: no 保存. */
  readOnly?: boolean
  onValuesChange?: (changed: Record<string, unknown>, all: Record<string, unknown>, form: FormInstance) => void
}
