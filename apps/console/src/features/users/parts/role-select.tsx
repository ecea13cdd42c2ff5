import { BuiltInRole, EnabledStatus } from '@ithings/contract/features/users.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Select, type SelectProps } from 'antd'
import { rolesQuery } from '../queries.ts'

/** The roles as they are now: read again each time the form opens (screens.md 12). */
export function RoleSelect({ current, ...rest }: SelectProps & { current?: number }) {
  const { data, isPending, isError, refetch } = useQuery({ ...rolesQuery, staleTime: 0, refetchOnMount: 'always' })
  const options = (data?.list ?? []).map((role) => ({
    value: role.id,
    label: role.status === EnabledStatus.disabled ? `${role.name}（已禁用）` : role.name,
    disabled: role.status === EnabledStatus.disabled && role.id !== current,
    title: role.id === BuiltInRole.admin ? '拥有全部权限' : role.remark,
  }))
  return (
    <Select
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="选择角色"
      loading={isPending}
      options={options}
      notFoundContent={
        isError ? (
          <Button type="link" size="small" onClick={() => void refetch()}>
            角色加载失败，重试
          </Button>
        ) : isPending ? (
          '加载中…'
        ) : (
          '没有角色'
        )
      }
      {...rest}
    />
  )
}
