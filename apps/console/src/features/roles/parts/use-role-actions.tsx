import type { Role } from '@ithings/contract/features/roles.ts'
import { BuiltInRole, EnabledStatus } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import { useNavigate } from 'react-router'
import { useConfirm } from '#kit/confirm.tsx'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { rolePath } from '#kit/paths.ts'
import { useDeleteRole, useSaveRole } from '../queries.ts'

export interface RoleDialogs {
  onEdit: (role: Role) => void
  onCopy: (role: Role) => void
}

/** What can be done with one role, and why not where it cannot. */
export function useRoleActions({ onEdit, onCopy }: RoleDialogs): (role: Role) => RowAction[] {
  const { message, modal } = App.useApp()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const save = useSaveRole()
  const remove = useDeleteRole()

  const enable = async (role: Role) => {
    await save.mutateAsync({ id: role.id, rev: role.rev, status: EnabledStatus.enabled })
    void message.success(t('已启用「{name}」', { name: role.name }))
  }
  const askEnable = (role: Role) =>
    confirm({
      title: t('启用角色「{name}」？', { name: role.name }),
      content:
        role.users > 0
          ? t('它的 {count} 名成员会立即恢复菜单和接口权限。', { count: role.users })
          : t('启用后可以再分配给用户。'),
      okText: t('启用'),
      onOk: () => enable(role),
    })
  const askDisable = (role: Role) =>
    confirm({
      title: t('禁用角色「{name}」？', { name: role.name }),
      content:
        role.users > 0
          ? t('它的 {count} 名成员会立即失去全部菜单和接口权限，仍可登录。权限设置保留，启用后恢复。', {
              count: role.users,
            })
          : t('禁用后持有它的用户没有任何权限。权限设置保留，启用后恢复。'),
      danger: true,
      okText: t('禁用'),
      onOk: () => save.mutateAsync({ id: role.id, rev: role.rev, status: EnabledStatus.disabled }),
      done: t('已禁用「{name}」', { name: role.name }),
    })
  const askDelete = (role: Role) => {
    if (role.users > 0) {
      modal.confirm({
        title: t('「{name}」还不能删除', { name: role.name }),
        content: t('还有 {count} 名成员在使用它。请先为他们更换角色，再删除。', { count: role.users }),
        okText: t('查看成员'),
        cancelText: t('知道了'),
        onOk: () => navigate(rolePath(role.id, 'members')),
      })
      return
    }
    confirm({
      title: t('删除角色「{name}」？', { name: role.name }),
      content: t('它的 {count} 项菜单权限和全部接口权限会一起删除，且无法恢复。没有成员受影响。', {
        count: role.roleMenuID.length,
      }),
      danger: true,
      okText: t('删除'),
      onOk: () => remove.mutateAsync({ id: role.id }),
      done: t('删除成功'),
    })
  }

  return (role) => {
    const admin = role.id === BuiltInRole.admin
    const on = role.status === EnabledStatus.enabled
    return [
      {
        key: 'rights',
        label: admin ? t('查看权限') : t('设置权限'),
        onClick: () => void navigate(rolePath(role.id)),
      },
      { key: 'edit', label: t('编辑'), onClick: () => onEdit(role) },
      { key: 'copy', label: t('复制'), onClick: () => onCopy(role) },
      {
        key: 'status',
        label: on ? t('禁用') : t('启用'),
        onClick: () => (on ? askDisable(role) : askEnable(role)),
        disabled: admin,
        ...(admin && { hint: t('管理员角色不能禁用') }),
      },
      {
        key: 'delete',
        label: t('删除'),
        danger: true,
        onClick: () => askDelete(role),
        disabled: role.builtIn,
        ...(role.builtIn && { hint: t('内置角色不能删除') }),
      },
    ]
  }
}
