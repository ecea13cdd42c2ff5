import { EnabledStatus, enabledStatusLabels, type UserInfo } from '@ithings/contract/features/users.ts'
import { BatchModal } from '#kit/batch-modal.tsx'
import { personName } from '../labels.ts'
import { useUserStatus } from '../queries.ts'

interface BatchStatusModalProps {
  users: readonly UserInfo[]
  status: EnabledStatus
  open: boolean
  onClose: (ran: boolean) => void
}

/** Who is in that state already is named and left alone. */
export function BatchStatusModal({ users, status, open, onClose }: BatchStatusModalProps) {
  const change = useUserStatus()
  const word = enabledStatusLabels[status]
  return (
    <BatchModal<UserInfo>
      word={word}
      unit="个用户"
      danger={status === EnabledStatus.disabled}
      items={users}
      keyOf={({ userID }) => userID}
      nameOf={personName}
      blocked={(user) => (user.status === status ? `已是${word}状态` : undefined)}
      work={({ userID }) => change.mutateAsync({ userID, status })}
      open={open}
      onClose={onClose}
    >
      <p className="batch-text">
        {status === EnabledStatus.disabled ? '他们的登录会话会立即结束，启用前无法再登录。' : '他们可以立即重新登录。'}
      </p>
    </BatchModal>
  )
}
