import { ReloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Copyable } from '#kit/copyable.tsx'
import { BackButton } from './back-button.tsx'
import { describeError } from './describe-error.ts'
import { StateBlock } from './state-block.tsx'

export interface ErrorStateProps {
  /** What could not be shown: the title of the page or card. */
  subject: string
  error: unknown
  onRetry: () => void
  /** True while the retry runs: the button answers at once. */
  retrying?: boolean
  /** Whom to ask for a permission; the default names the administrator. */
  forbiddenHelp?: string
  compact?: boolean
}

/** A failed read, in place: forbidden, unreachable, or an error with its reason and request id. */
export function ErrorState({ subject, error, onRetry, retrying, forbiddenHelp, compact }: ErrorStateProps) {
  const view = describeError(error)
  const requestID = view.requestID && (
    <span className="state-request-id">
      请求编号 <Copyable text={view.requestID} />
    </span>
  )
  if (view.kind === 'forbidden') {
    return (
      <StateBlock
        variant="forbidden"
        title={`你没有查看「${subject}」的权限`}
        text={forbiddenHelp ?? '请联系系统管理员，为你的角色开通这项权限。'}
        extra={requestID}
        action={<BackButton />}
        compact={compact}
      />
    )
  }
  return (
    <StateBlock
      variant={view.kind}
      title={`${subject}加载失败`}
      text={view.kind === 'offline' ? `${view.reason}，请检查网络后重试。` : withCode(view.reason, view.code)}
      extra={requestID}
      action={
        <Button icon={<ReloadOutlined />} loading={retrying} onClick={onRetry}>
          重试
        </Button>
      }
      compact={compact}
    />
  )
}

const withCode = (reason: string, code: number | undefined) => (code ? `${reason}（${code}）` : reason)
