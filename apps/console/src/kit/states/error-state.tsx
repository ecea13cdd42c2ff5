import { ReloadOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
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
    <span className="state-request-id inline-row small softer gap-8 round-4 grey-fill">
      {t('请求编号')} <Copyable text={view.requestID} />
    </span>
  )
  if (view.kind === 'forbidden') {
    return (
      <StateBlock
        variant="forbidden"
        title={t('你没有查看「{subject}」的权限', { subject })}
        text={forbiddenHelp ?? t('请联系系统管理员，为你的角色开通这项权限。')}
        extra={requestID}
        action={<BackButton />}
        compact={compact}
      />
    )
  }
  return (
    <StateBlock
      variant={view.kind}
      title={t('{subject}加载失败', { subject })}
      text={
        view.kind === 'offline'
          ? t('{reason}，请检查网络后重试。', { reason: view.reason })
          : withCode(view.reason, view.code)
      }
      extra={requestID}
      action={
        <Button icon={<ReloadOutlined />} loading={retrying} onClick={onRetry}>
          {t('重试')}
        </Button>
      }
      compact={compact}
    />
  )
}

const withCode = (reason: string, code: number | undefined) =>
  code ? t('{reason}（{code}）', { reason, code }) : reason
