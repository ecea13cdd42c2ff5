import { Alert, Button, Form, type FormInstance } from 'antd'
import type { ReactNode } from 'react'
import type * as z from 'zod'
import { Copyable } from '#kit/copyable.tsx'
import { LeaveGuard } from '#kit/leave-guard.tsx'
import { horizontalColumns } from '#kit/preferences.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { Field, FormContext } from './field.tsx'
import type { FormDialogProps } from './form-contract.ts'
import './form.css'
import type { FormDialog } from './use-form-dialog.ts'

interface FormPaneProps {
  dialog: FormDialog
  props: FormDialogProps<z.ZodObject>
  layout: 'horizontal' | 'vertical'
}

const drawChildren = (children: FormDialogProps<z.ZodObject>['children'], form: FormInstance): ReactNode =>
  typeof children === 'function' ? children(form) : children

/** The form itself with its fields. */
export function FormPane({ dialog, props, layout }: FormPaneProps) {
  const { form, name, labels, submit, changed, countProblems, busy } = dialog
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
            {required && <span className="required-mark">*</span>}
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

/** Asks before the page below is left, which would take the dialog along. */
export function FormGuard({ dialog: { dirty, released }, props }: Omit<FormPaneProps, 'layout'>) {
  const unsaved = dirty && props.open && !props.readOnly
  return <LeaveGuard ofDialog dirty={unsaved} released={released} text="已填写的内容还没有保存，离开后将丢失。" />
}

/** Why the save failed, the number of open problems, and the buttons. */
export function FormFooter({ dialog, props }: Omit<FormPaneProps, 'layout'>) {
  const { name, busy, failure, problems, submitAlternative, close } = dialog
  return (
    <div className="form-footer">
      {failure && (
        <Alert
          type="error"
          showIcon
          title={
            <>
              {failure.reason}
              {failure.requestID && (
                <div className="meta">
                  请求编号 <Copyable text={failure.requestID} />
                </div>
              )}
            </>
          }
        />
      )}
      <div className="form-buttons">
        <div className="form-footer-extra">{props.footerExtra}</div>
        {problems > 0 && (
          <span className="form-problems" role="status">
            {problems} 处待修正
          </span>
        )}
        <Button onClick={close} disabled={busy}>
          {props.readOnly ? '关闭' : '取消'}
        </Button>
        {props.alternativeText && (
          <Button disabled={busy} onClick={() => void submitAlternative()}>
            {props.alternativeText}
          </Button>
        )}
        {!props.readOnly && (
          <Button type="primary" htmlType="submit" form={name} loading={busy} disabled={busy}>
            {props.submitText ?? '保存'}
          </Button>
        )}
      </div>
    </div>
  )
}
