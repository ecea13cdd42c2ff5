import type { FormInstance } from 'antd'
import type { ReactNode } from 'react'
import type * as z from 'zod'
import type { Opened } from '#kit/use-dialog.ts'
import type { FieldSpec } from './field.tsx'

/** Somebody else may save meanwhile: what the form of a record with a revision needs (blocks/stale-edit.tsx). */
export interface StaleEdit {
  /** Sends with the newest revision that was read; a refusal for staleness brings the 刷新 button. */
  guard: <R>(save: (rev: number) => Promise<R>) => Promise<R>
  /** For the footer of the form. */
  action: ReactNode
  /** Hands the form over. */
  bind: (form: FormInstance) => void
}

export interface FormDialogProps<S extends z.ZodObject> extends Opened {
  title: string
  /** The contract's body schema: the server checks with the same one. */
  schema: S
  initialValues?: Partial<z.input<S>> | undefined
  /** Resolve = saved, the dialog closes. Reject = stays open and shows why. `rev`: the newest that is known, with `stale`. */
  onSubmit: (values: z.output<S>, how: { alternative: boolean; rev: number }) => Promise<unknown>
  /** What is said when it worked. */
  done?: string
  stale?: StaleEdit
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
