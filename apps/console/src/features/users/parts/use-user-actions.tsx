import { EnabledStatus, type UserInfo } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import { useConfirm } from '#kit/confirm.tsx'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { personName } from '../labels.ts'
import {
  useDeleteUser,
  useEndUserSessions,
  useRemoveUserPasskeys,
  useResetSecondFactor,
  useUserStatus,
} from '../queries.ts'

export interface UserDialogs {
  ownID: string | undefined
  onEdit: (user: UserInfo) => void
  onReset: (user: UserInfo) => void
}

type Act = 'enable' | 'disable' | 'end-sessions' | 'reset-factor' | 'remove-passkeys' | 'delete'

const questions: Record<Act, { title: (name: string) => string; content: string; okText: string; done: string }> = {
  enable: {
    title: (name) => t('启用用户「{name}」？', { name }),
    content: '启用后可以立即登录。',
    okText: '启用',
    done: '启用成功',
  },
  disable: {
    title: (name) => t('禁用用户「{name}」？', { name }),
    content: '他的登录会话会立即结束，启用前无法再登录。账号和日志都保留。',
    okText: '禁用',
    done: '禁用成功',
  },
  'end-sessions': {
    title: (name) => t('强制用户「{name}」下线？', { name }),
    content: '他在所有设备上的登录立即失效，可以重新登录。',
    okText: '强制下线',
    done: '已强制下线',
  },
  'reset-factor': {
    title: (name) => t('重置用户「{name}」的两步验证？', { name }),
    content:
      '他的验证器、恢复码和通行密钥不再有效，之后只用密码登录；角色要求两步验证时，须重新启用。请先确认是本人提出的。',
    okText: '重置',
    done: '两步验证已重置',
  },
  'remove-passkeys': {
    title: (name) => t('移除用户「{name}」的通行密钥？', { name }),
    content: '他的全部通行密钥立即失效，之后用密码登录（启用了验证器时还要验证码）。请先确认是本人提出的。',
    okText: '移除',
    done: '通行密钥已移除',
  },
  delete: {
    title: (name) => t('删除用户「{name}」？', { name }),
    content: '他的登录会话会立即结束，账号无法恢复。登录日志和操作日志保留。',
    okText: '删除',
    done: '删除成功',
  },
}

/** Asks, then does it. */
function useAsk() {
  const confirm = useConfirm()
  const { mutateAsync: setStatus } = useUserStatus()
  const { mutateAsync: remove } = useDeleteUser()
  const { mutateAsync: endSessions } = useEndUserSessions()
  const { mutateAsync: resetFactor } = useResetSecondFactor()
  const { mutateAsync: removePasskeys } = useRemoveUserPasskeys()
  const acts: Record<Act, (userID: string) => Promise<unknown>> = {
    enable: (userID) => setStatus({ userID, status: EnabledStatus.enabled }),
    disable: (userID) => setStatus({ userID, status: EnabledStatus.disabled }),
    'end-sessions': (userID) => endSessions({ userID }),
    'reset-factor': (userID) => resetFactor({ userID }),
    'remove-passkeys': (userID) => removePasskeys({ userID }),
    delete: (userID) => remove({ userID }),
  }
  return (act: Act, user: UserInfo) => {
    const { title, content, okText, done } = questions[act]
    confirm({
      title: title(personName(user)),
      content: t(content),
      okText: t(okText),
      done: t(done),
      danger: act !== 'enable',
      onOk: () => acts[act](user.userID),
    })
  }
}

/** What can be done with one user, and why not where it cannot. */
export function useUserActions({ ownID, onEdit, onReset }: UserDialogs): (user: UserInfo) => RowAction[] {
  const ask = useAsk()
  return (user) => {
    const self = user.userID === ownID
    const switched = user.status === EnabledStatus.enabled ? 'disable' : 'enable'
    const notSelf = (hint: string) => ({ disabled: self, ...(self && { hint }) })
    return [
      { key: 'edit', label: t('编辑'), onClick: () => onEdit(user) },
      { key: 'reset', label: t('重置密码'), onClick: () => onReset(user), ...notSelf(t('请在个人中心修改自己的密码')) },
      {
        key: 'status',
        label: questions[switched].okText,
        onClick: () => ask(switched, user),
        ...notSelf(t('不能禁用自己')),
      },
      {
        key: 'end-sessions',
        label: t('强制下线'),
        onClick: () => ask('end-sessions', user),
        ...notSelf(t('请在个人中心管理自己的登录设备')),
      },
      ...(user.secondFactor && !self
        ? [{ key: 'reset-factor', label: t('重置两步验证'), onClick: () => ask('reset-factor', user) }]
        : []),
      ...(user.passkeys > 0 && !self
        ? [{ key: 'remove-passkeys', label: t('移除全部通行密钥'), onClick: () => ask('remove-passkeys', user) }]
        : []),
      {
        key: 'delete',
        label: t('删除'),
        danger: true,
        onClick: () => ask('delete', user),
        ...notSelf(t('不能删除自己')),
      },
    ]
  }
}
