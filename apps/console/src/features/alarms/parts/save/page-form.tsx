/** A form that is a page of its own and not a dialog: the same checks, the same refusals at the field, its own guard. */
import { t } from '@ithings/contract/text.ts'
import type { FormInstance } from 'antd'
import { Alert, Button } from 'antd'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type * as z from 'zod'
import type { FormDialogProps } from '#kit/form/form-contract.ts'
import { FormPane } from '#kit/form/form-pane.tsx'
import { useFormDialog } from '#kit/form/use-form-dialog.ts'
import { LeaveGuard } from '#kit/leave-guard.tsx'
import { usePreferences } from '#kit/preferences.tsx'
import { usePhone } from '#kit/use-phone.ts'

interface PageFormProps<S extends z.ZodObject> {
  schema: S
  initialValues: Partial<z.input<S>>
  onSubmit: (values: z.output<S>) => Promise<unknown>
  /** Saved, and nothing is unsaved any more. */
  onSaved: () => void
  children: (form: FormInstance) => ReactNode
  submitText?: string
  /** Beside the button, for example 刷新 of a stale edit. */
  extra?: ReactNode
}

export function PageForm<S extends z.ZodObject>(props: PageFormProps<S>) {
  const { schema, initialValues, onSubmit, onSaved, children, submitText = t('保存'), extra } = props
  const phone = usePhone()
  const { formLayout } = usePreferences()
  const layout = phone ? 'vertical' : formLayout
  const [saved, setSaved] = useState(false)
  const onClose = () => setSaved(true)
  // Saved, it goes on to another page or begins anew: what were typed until then would get lost.
  const given: FormDialogProps<S> = {
    title: '',
    open: true,
    onClose,
    schema,
    initialValues,
    onSubmit,
    children,
    readOnly: saved,
  }
  const dialog = useFormDialog(given)
  const { dirty, busy, failure, problems, name } = dialog
  // Whoever leads away after saving waits until the guard has seen that nothing is unsaved.
  const leave = useEffectEvent(onSaved)
  const left = saved && !dirty
  useEffect(() => {
    if (left) leave()
  }, [left])
  return (
    <div className="list-card page-form">
      <FormPane dialog={dialog} layout={layout} />
      {failure && <Alert type="error" showIcon title={failure.reason} />}
      <div
        className={`page-form-foot high-32 row wrap gap-12${layout === 'horizontal' ? ' page-form-foot-inset' : ''}`}
      >
        <Button type="primary" htmlType="submit" form={name} loading={busy || saved}>
          {submitText}
        </Button>
        {problems > 0 && (
          <span className="form-problems error-text" role="status">
            {t('{count} 处待修正', { count: problems })}
          </span>
        )}
        {dirty && problems === 0 && <span className="meta">{t('有未保存的修改')}</span>}
        {extra}
      </div>
      <LeaveGuard ofTab dirty={dirty} text={t('告警的修改还没有保存，离开后将丢失。')} />
    </div>
  )
}
