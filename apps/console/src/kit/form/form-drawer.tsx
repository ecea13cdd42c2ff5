import { t } from '@ithings/contract/text.ts'
import type * as z from 'zod'
import { focusFirstField } from '#kit/first-field.ts'
import { SideDrawer } from '#kit/side-drawer.tsx'
import type { FormDialogProps } from './form-contract.ts'
import { FormFooter, FormPane } from './form-pane.tsx'
import { useFormDialog } from './use-form-dialog.ts'
import { useSessionKey } from './use-session-key.ts'

/** A longer form beside the page it belongs to: 560 px, labels above the fields (look.md 15). */
export function FormDrawer<S extends z.ZodObject>(props: FormDialogProps<S>) {
  const key = useSessionKey(props.open)
  return <Panel key={key} {...props} />
}

function Panel<S extends z.ZodObject>(props: FormDialogProps<S>) {
  const dialog = useFormDialog(props)
  return (
    <SideDrawer
      {...dialog.draft}
      title={
        <span className="row gap-12">
          {props.title}
          {dialog.dirty && (
            <span className="form-dirty small regular line-20 warning-text pad-x-8 round-4">{t('未保存')}</span>
          )}
        </span>
      }
      width={props.width ?? 560}
      afterOpenChange={focusFirstField}
      footer={(close) => <FormFooter dialog={dialog} onCancel={close} />}
    >
      <FormPane dialog={dialog} layout={props.layout ?? 'vertical'} />
    </SideDrawer>
  )
}
