import type * as z from 'zod'
import { focusFirstField } from '#kit/first-field.ts'
import { useDraft } from '#kit/leave-guard.tsx'
import { PhoneModal } from '#kit/phone-modal.tsx'
import { usePreferences } from '#kit/preferences.tsx'
import { usePhone } from '#kit/use-phone.ts'
import type { FormDialogProps } from './form-contract.ts'
import { FormFooter, FormPane } from './form-pane.tsx'
import { useFormDialog } from './use-form-dialog.ts'
import { useSessionKey } from './use-session-key.ts'

/** A short form in a dialog; full screen on a phone. */
export function FormModal<S extends z.ZodObject>(props: FormDialogProps<S>) {
  const key = useSessionKey(props.open)
  return <Dialog key={key} {...props} />
}

function Dialog<S extends z.ZodObject>(props: FormDialogProps<S>) {
  const phone = usePhone()
  const { formLayout } = usePreferences()
  const dialog = useFormDialog(props)
  const { close, guard } = useDraft(dialog.draft)
  return (
    <PhoneModal
      title={props.title}
      open={props.open}
      onCancel={close}
      afterOpenChange={focusFirstField}
      width={props.width ?? 600}
      className="form-modal"
      destroyOnHidden
      footer={<FormFooter dialog={dialog} onCancel={close} />}
    >
      {guard}
      <FormPane dialog={dialog} layout={phone ? 'vertical' : (props.layout ?? formLayout)} />
    </PhoneModal>
  )
}
