import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { rolesQuery } from '../queries.ts'

interface RoleSelectProps {
  id?: string
  value?: number | undefined
  onChange?: (role: number) => void
  /** Words of the choice to give none. */
  none?: string
  'aria-label'?: string
  status?: '' | 'error'
}

export function RoleSelect({ none, ...props }: RoleSelectProps) {
  const { data, isPending } = useQuery(rolesQuery)
  const roles = (data?.list ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Select
      {...props}
      loading={isPending}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('选择角色')}
      options={none === undefined ? roles : [{ value: 0, label: none }, ...roles]}
    />
  )
}
