import { EnabledStatus, type UserInfo } from '@ithings/contract/features/users.ts'
import { App } from 'antd'
import { useConfirm } from '#kit/confirm.tsx'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { personName } from '../labels.ts'
import { useDeleteUser, useEndUserSessions, useResetSecondFactor, useUserStatus } from '../queries.ts'

export interface UserDialogs {
  ownID: string | undefined
  onEdit: (user: UserInfo) => void
  onReset: (user: UserInfo) => void
}

/** What can be done with one user, and why not where it cannot. */
export function useUserActions({ ownID, onEdit, onReset }: UserDialogs): (user: UserInfo) => RowAction[] {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const setStatus = useUserStatus()
  const remove = useDeleteUser()
  const endSessions = useEndUserSessions()
  const resetFactor = useResetSecondFactor()

  const askEnable = (user: UserInfo) =>
    confirm({
      title: `启用用户「${personName(user)}」？`,
      content: '启用后可以立即登录。',
      okText: '启用',
      onOk: async () => {
        await setStatus.mutateAsync({ userID: user.userID, status: EnabledStatus.enabled })
        void message.success('启用成功')
      },
    })
  const askDisable = (user: UserInfo) =>
    confirm({
      title: `禁用用户「${personName(user)}」？`,
      content: '他的登录会话会立即结束，启用前无法再登录。账号和日志都保留。',
      danger: true,
      okText: '禁用',
      onOk: async () => {
        await setStatus.mutateAsync({ userID: user.userID, status: EnabledStatus.disabled })
        void message.success('禁用成功')
      },
    })
  const askEndSessions = (user: UserInfo) =>
    confirm({
      title: `强制用户「${personName(user)}」下线？`,
      content: '他在所有设备上的登录立即失效，可以重新登录。',
      danger: true,
      okText: '强制下线',
      onOk: async () => {
        await endSessions.mutateAsync(user.userID)
        void message.success('已强制下线')
      },
    })
  const askResetFactor = (user: UserInfo) =>
    confirm({
      title: `重置用户「${personName(user)}」的两步验证？`,
      content: '他的验证器和恢复码不再有效，之后只用密码登录；角色要求两步验证时，须重新启用。请先确认是本人提出的。',
      danger: true,
      okText: '重置',
      onOk: async () => {
        await resetFactor.mutateAsync(user.userID)
        void message.success('两步验证已重置')
      },
    })
  const askDelete = (user: UserInfo) =>
    confirm({
      title: `删除用户「${personName(user)}」？`,
      content: '他的登录会话会立即结束，账号无法恢复。登录日志和操作日志保留。',
      danger: true,
      okText: '删除',
      onOk: async () => {
        await remove.mutateAsync(user.userID)
        void message.success('删除成功')
      },
    })

  return (user) => {
    const self = user.userID === ownID
    const on = user.status === EnabledStatus.enabled
    return [
      { key: 'edit', label: '编辑', onClick: () => onEdit(user) },
      {
        key: 'reset',
        label: '重置密码',
        onClick: () => onReset(user),
        disabled: self,
        ...(self && { hint: '请在个人中心修改自己的密码' }),
      },
      {
        key: 'status',
        label: on ? '禁用' : '启用',
        onClick: () => (on ? askDisable(user) : askEnable(user)),
        disabled: self,
        ...(self && { hint: '不能禁用自己' }),
      },
      {
        key: 'end-sessions',
        label: '强制下线',
        onClick: () => askEndSessions(user),
        disabled: self,
        ...(self && { hint: '请在个人中心管理自己的登录设备' }),
      },
      ...(user.secondFactor && !self
        ? [{ key: 'reset-factor', label: '重置两步验证', onClick: () => askResetFactor(user) }]
        : []),
      {
        key: 'delete',
        label: '删除',
        danger: true,
        onClick: () => askDelete(user),
        disabled: self,
        ...(self && { hint: '不能删除自己' }),
      },
    ]
  }
}
