import { t } from '@ithings/contract/text.ts'
import { Alert } from 'antd'
import type { ReactNode } from 'react'
import { Copyable } from '#kit/copyable.tsx'
import type { ErrorView } from '#kit/states/describe-error.ts'
import './form.css'

interface DialogFooterProps {
  /** Why it was not saved. */
  failure?: ErrorView | undefined
  /** How many fields are still to be mended. */
  problems?: number
  /** What stands left of the buttons. */
  left?: ReactNode
  /** The buttons, the one that saves last. */
  children: ReactNode
}

/** Why something was not saved. */
export function Failure({ of: failure }: { of: ErrorView | undefined }) {
  if (!failure) return null
  return (
    <Alert
      type="error"
      showIcon
      title={
        <>
          {failure.reason}
          {failure.requestID && (
            <div className="meta">
              {t('请求编号')} <Copyable text={failure.requestID} />
            </div>
          )}
        </>
      }
    />
  )
}

/** The bar under a form in a drawer or dialog. */
export function DialogFooter({ failure, problems = 0, left, children }: DialogFooterProps) {
  return (
    <div className="form-footer">
      <Failure of={failure} />
      <div className="form-buttons">
        <div className="form-footer-extra">{left}</div>
        {problems > 0 && (
          <span className="form-problems error-text" role="status">
            {t('{problems} 处待修正', { problems })}
          </span>
        )}
        {children}
      </div>
    </div>
  )
}
