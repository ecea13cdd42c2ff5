import { t } from '@ithings/contract/text.ts'
import { Alert, App } from 'antd'
import { lazy, type ReactNode, Suspense, useCallback } from 'react'
import './parts.css'
import { describeError } from './states/describe-error.ts'

const ConfirmField = lazy(async () => ({ default: (await import('./confirm-field.tsx')).ConfirmField }))

export interface ConfirmOptions {
  title: string
  /** What is affected, and that it cannot be undone where that is so. */
  content: ReactNode
  danger?: boolean
  okText?: string
  /** The person must type this (a name) before the button works. */
  typeToConfirm?: string
  onOk: () => Promise<unknown>
  /** What is said when it worked. */
  done?: string
}

function ConfirmBody(props: {
  content: ReactNode
  failure: string | undefined
  expected: string | undefined
  onTyped: (text: string) => void
}) {
  return (
    <div className="column gap-8">
      <div>{props.content}</div>
      {props.expected !== undefined && (
        <Suspense>
          <ConfirmField expected={props.expected} onTyped={props.onTyped} />
        </Suspense>
      )}
      {props.failure !== undefined && <Alert type="error" showIcon title={props.failure} />}
    </div>
  )
}

/** Asks before something that cannot be taken back; stays open while it runs and shows its failure inside. */
export function useConfirm(): (options: ConfirmOptions) => void {
  const { modal, message } = App.useApp()
  return useCallback(
    (options) => {
      const { title, content, danger = false, typeToConfirm } = options
      let typedRight = typeToConfirm === undefined
      let failure: string | undefined
      const body = () => (
        <ConfirmBody
          content={content}
          failure={failure}
          expected={typeToConfirm}
          onTyped={(text) => {
            typedRight = text === typeToConfirm
            dialog.update({ okButtonProps: { danger, disabled: !typedRight } })
          }}
        />
      )
      const dialog = modal.confirm({
        title,
        content: body(),
        okText: options.okText ?? t('确定'),
        cancelText: t('取消'),
        okButtonProps: { danger, disabled: !typedRight },
        // A destructive answer is never one Enter away.
        focusable: { autoFocusButton: danger ? 'cancel' : 'ok' },
        onOk: async () => {
          failure = undefined
          dialog.update({ content: body(), cancelButtonProps: { disabled: true }, keyboard: false })
          try {
            await options.onOk()
            if (options.done) void message.success(options.done)
          } catch (error) {
            failure = describeError(error).reason
            dialog.update({ content: body(), cancelButtonProps: { disabled: false }, keyboard: true })
            // antd keeps the dialog open when the promise rejects.
            throw error
          }
        },
      })
      // Listening to the answer tells antd that a rejection is handled here and not to be thrown again.
      void dialog.then(
        () => undefined,
        () => undefined,
      )
    },
    [modal, message],
  )
}
