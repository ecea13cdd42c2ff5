import type { Role } from '@ithings/contract/features/roles.ts'
import { BuiltInRole, EnabledStatus } from '@ithings/contract/features/users.ts'
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
    void message.success(`已启用「${role.name}」`)
  }
  const askEnable = (role: Role) =>
    confirm({
      title: `启用角色「${role.name}」？`,
      content: role.users > 0 ? `它的 ${role.users} 名成员会立即恢复菜单和接口权限。` : '启用后可以再分配给用户。',
      okText: '启用',
      onOk: () => enable(role),
    })
  const askDisable = (role: Role) =>
    confirm({
      title: `禁用角色「${role.name}」？`,
      content:
        role.users > 0
          ? `它的 ${role.users} 名成员会立即失去全部菜单和接口权限，仍可登录。权限设置保留，启用后恢复。`
          : '禁用后持有它的用户没有任何权限。权限设置保留，启用后恢复。',
      danger: true,
      okText: '禁用',
      onOk: () => save.mutateAsync({ id: role.id, rev: role.rev, status: EnabledStatus.disabled }),
      done: `已禁用「${role.name}」`,
    })
  const askDelete = (role: Role) => {
    if (role.users > 0) {
      modal.confirm({
        title: `「${role.name}」还不能删除`,
        content: `还有 ${role.users} 名成员在使用它。请先为他们更换角色，再删除。`,
        okText: '查看成员',
        cancelText: '知道了',
        onOk: () => navigate(rolePath(role.id, 'members')),
      })
      return
    }
    confirm({
      title: `删除角色「${role.name}」？`,
      content: `它的 ${role.roleMenuID.length} 项菜单权限和全部接口权限会一起删除，且无法恢复。没有成员受影响。`,
      danger: true,
      okText: '删除',
      onOk: () => remove.mutateAsync({ id: role.id }),
      done: '删除成功',
    })
  }

  return (role) => {
    const admin = role.id === BuiltInRole.admin
    const on = role.status === EnabledStatus.enabled
    return [
      {
        key: 'rights',
        label: admin ? '查看权限' : '设置权限',
        onClick: () => void navigate(rolePath(role.id)),
      },
      { key: 'edit', label: '编辑', onClick: () => onEdit(role) },
      { key: 'copy', label: '复制', onClick: () => onCopy(role) },
      {
        key: 'status',
        label: on ? '禁用' : '启用',
        onClick: () => (on ? askDisable(role) : askEnable(role)),
        disabled: admin,
        ...(admin && { hint: '管理员角色不能禁用' }),
      },
      {
        key: 'delete',
        label: '删除',
        danger: true,
        onClick: () => askDelete(role),
        disabled: role.builtIn,
        ...(role.builtIn && { hint: '内置角色不能删除' }),
      },
    ]
  }
}
