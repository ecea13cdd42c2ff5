import { t } from '@ithings/contract/text.ts'
import { Button, Form, type FormInstance } from 'antd'
import type { ReactNode } from 'react'
import type * as z from 'zod'
import { horizontalColumns } from '#kit/preferences.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { DialogFooter } from './dialog-footer.tsx'
import { Field, FormContext } from './field.tsx'
import type { FormDialogProps } from './form-contract.ts'
import type { FormDialog } from './use-form-dialog.ts'

const drawChildren = (children: FormDialogProps<z.ZodObject>['children'], form: FormInstance): ReactNode =>
  typeof children === 'function' ? children(form) : children

/** The form itself with its fields. */
export function FormPane({ dialog, layout }: { dialog: FormDialog; layout: 'horizontal' | 'vertical' }) {
  const { props, form, name, labels, submit, changed, countProblems, busy } = dialog
  const phone = usePhone()
  return (
    <FormContext value={{ schema: props.schema, labels }}>
      <Form
        form={form}
        name={name}
        layout={layout}
        colon={false}
        // look.md "Phone": fingers need more room than a pointer.
        {...(phone && { size: 'large' as const })}
        {...(layout === 'horizontal' && horizontalColumns)}
        initialValues={props.initialValues as Record<string, unknown> | undefined}
        disabled={busy || props.readOnly || undefined}
        requiredMark={(label, { required }) => (
          <>
            {label}
            {required && <span className="required-mark error-text after-4">*</span>}
          </>
        )}
        scrollToFirstError={{ block: 'center', focus: true }}
        onValuesChange={changed}
        onFieldsChange={countProblems}
        onFinish={() => void submit()}
        onFinishFailed={countProblems}
      >
        {props.fields?.map(({ control, ...field }) => (
          <Field key={field.name} {...field}>
            {control}
          </Field>
        ))}
        {drawChildren(props.children, form)}
      </Form>
    </FormContext>
  )
}

/** Why the save failed, the number of open problems, and the buttons. */
export function FormFooter({ dialog, onCancel }: { dialog: FormDialog; onCancel: () => void }) {
  const { props, name, busy, failure, problems, submitAlternative } = dialog
  return (
    <DialogFooter failure={failure} problems={problems} left={props.stale?.action ?? props.footerExtra}>
      <Button onClick={onCancel} disabled={busy}>
        {props.readOnly ? t('关闭') : t('取消')}
      </Button>
      {props.alternativeText && (
        <Button disabled={busy} onClick={() => void submitAlternative()}>
          {props.alternativeText}
        </Button>
      )}
      {!props.readOnly && (
        <Button type="primary" htmlType="submit" form={name} loading={busy} disabled={busy}>
          {props.submitText ?? t('保存')}
        </Button>
      )}
    </DialogFooter>
  )
}
