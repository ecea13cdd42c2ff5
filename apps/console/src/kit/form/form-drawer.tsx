import { Drawer } from 'antd'
import type * as z from 'zod'
import { focusFirstField } from '#kit/first-field.ts'
import { usePhone } from '#kit/use-phone.ts'
import type { FormDialogProps } from './form-contract.ts'
import { FormFooter, FormGuard, FormPane } from './form-pane.tsx'
import { useFormDialog } from './use-form-dialog.ts'
import { useSessionKey } from './use-session-key.ts'

/** A longer form beside the page it belongs to: 560 px, labels above the fields (look.md 15). */
export function FormDrawer<S extends z.ZodObject>(props: FormDialogProps<S>) {
  const key = useSessionKey(props.open)
  return <Panel key={key} {...props} />
}

function Panel<S extends z.ZodObject>(props: FormDialogProps<S>) {
  const phone = usePhone()
  const dialog = useFormDialog(props)
  const pane = { dialog, props: props as unknown as FormDialogProps<z.ZodObject> }
  const title = (
    <span className="row gap-12">
      {props.title}
      {dialog.dirty && <span className="form-dirty">未保存</span>}
    </span>
  )
  return (
    <Drawer
      title={title}
      open={props.open}
      onClose={dialog.close}
      afterOpenChange={focusFirstField}
      size={phone ? '100%' : (props.width ?? 560)}
      rootClassName={phone ? 'form-drawer form-drawer-phone' : 'form-drawer'}
      destroyOnHidden
      closable={{ placement: 'end' }}
      footer={<FormFooter {...pane} />}
    >
      <FormGuard {...pane} />
      <FormPane {...pane} layout={props.layout ?? 'vertical'} />
    </Drawer>
  )
}
