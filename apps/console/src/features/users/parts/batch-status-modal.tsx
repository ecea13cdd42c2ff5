import { EnabledStatus, enabledStatusLabels, type UserInfo } from '@ithings/contract/features/users.ts'
import { Button, Modal, Progress } from 'antd'
import { useState } from 'react'
import { describeError } from '#kit/states/describe-error.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { personName } from '../labels.ts'
import { useBatchStatus } from '../queries.ts'
import type { BatchResult } from '../run-batch.ts'
import './users.css'

interface BatchStatusModalProps {
  users: readonly UserInfo[]
  status: EnabledStatus
  open: boolean
  onClose: (done: boolean) => void
}

function Outcome({ result }: { result: BatchResult<UserInfo> | undefined }) {
  if (!result) return <StatusTag text="等待" tone="default" />
  if (result.error === undefined) return <StatusTag text="成功" tone="success" />
  return <StatusTag text={describeError(result.error).reason} tone="error" />
}

/** Names who is affected, runs, and says for each row how it went. */
export function BatchStatusModal({ users, status, open, onClose }: BatchStatusModalProps) {
  const phone = usePhone()
  const batch = useBatchStatus<UserInfo>()
  const [results, setResults] = useState<ReadonlyMap<string, BatchResult<UserInfo>>>(new Map())
  const word = enabledStatusLabels[status]
  const changing = users.filter((user) => user.status !== status)
  const failed = [...results.values()].filter((result) => result.error !== undefined).length
  const started = !batch.isIdle
  const start = () =>
    batch.mutate({
      users: changing,
      status,
      onResult: (result) => setResults((before) => new Map(before).set(result.item.userID, result)),
    })

  const title = batch.isSuccess
    ? `已${word} ${changing.length - failed} 个用户${failed > 0 ? `，${failed} 个失败` : ''}`
    : `${word} ${changing.length} 个用户？`
  return (
    <Modal
      title={title}
      open={open}
      width={phone ? '100%' : 520}
      className={phone ? 'form-modal-phone' : ''}
      mask={{ closable: false }}
      onCancel={batch.isPending ? undefined : () => onClose(batch.isSuccess)}
      footer={
        batch.isSuccess ? (
          <Button type="primary" onClick={() => onClose(true)}>
            关闭
          </Button>
        ) : (
          <>
            <Button disabled={started} onClick={() => onClose(false)}>
              取消
            </Button>
            <Button
              type="primary"
              danger={status === EnabledStatus.disabled}
              loading={batch.isPending}
              disabled={changing.length === 0}
              onClick={start}
            >
              {word}
            </Button>
          </>
        )
      }
    >
      {!started && (
        <p className="batch-text">
          {status === EnabledStatus.disabled
            ? '他们的登录会话会立即结束，启用前无法再登录。'
            : '他们可以立即重新登录。'}
          {changing.length < users.length &&
            `所选中有 ${users.length - changing.length} 个已经是${word}状态，不再处理。`}
        </p>
      )}
      {started && (
        <Progress
          percent={Math.round((results.size / Math.max(1, changing.length)) * 100)}
          status={failed > 0 ? 'exception' : batch.isSuccess ? 'success' : 'active'}
          size="small"
        />
      )}
      <ul className="batch-rows">
        {changing.map((user) => (
          <li key={user.userID}>
            <span className="batch-name">{personName(user)}</span>
            {started && <Outcome result={results.get(user.userID)} />}
          </li>
        ))}
      </ul>
    </Modal>
  )
}
