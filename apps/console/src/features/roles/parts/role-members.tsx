import type { Role } from '@ithings/contract/features/roles.ts'
import type { UserInfo } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { Link } from 'react-router'
import { enabledLooks, enabledOptions } from '#blocks/enabled-status.ts'
import { Copyable } from '#kit/copyable.tsx'
import type { FilterField, FiltersOf, ListColumn, ListPaging } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { usersOfRolePath } from '#kit/paths.ts'
import { membersQuery } from '../queries.ts'

const filters: FilterField[] = [
  { name: 'userName', label: '用户名', control: 'text' },
  { name: 'status', label: '状态', control: 'select', options: enabledOptions },
]

const columns: ListColumn<UserInfo>[] = [
  {
    key: 'userName',
    title: '用户名',
    hideable: false,
    sorter: true,
    phone: 'title',
    render: (_value, user) => <Copyable text={user.userName} />,
    exportText: (user) => user.userName,
  },
  { key: 'nickName', title: '昵称', dataIndex: 'nickName', sorter: true, phone: 'subtitle' },
  { key: 'phone', title: '手机号', dataIndex: 'phone', phone: 'meta' },
  { key: 'email', title: '邮箱', dataIndex: 'email', truncate: 220 },
  { key: 'status', title: '状态', phone: 'status', looks: enabledLooks },
  { key: 'lastLoginTime', title: '最后登录', sorter: true, phone: 'meta', time: 'relative' },
]

/** Who holds the role. Changing somebody's role is done where users are edited. */
export function RoleMembers({ role }: { role: Role }) {
  const query = ({ page, filters: given }: { page: ListPaging; filters: FiltersOf<typeof membersQuery> }) =>
    membersQuery({ page, ...given, role: role.id })
  const manage = (
    <Link to={usersOfRolePath(role.id)}>
      <Button>{t('在用户管理中调整')}</Button>
    </Link>
  )
  return (
    <ListPage<UserInfo, FiltersOf<typeof membersQuery>>
      title={t('成员')}
      embedded
      urlPrefix="m_"
      filters={filters}
      columns={columns}
      rowKey="userID"
      storageKey="role-members"
      query={query}
      exportName={t('{name}的成员', { name: role.name })}
      toolbar={manage}
      empty={{
        title: t('还没有成员'),
        text: t('在用户管理中把用户的角色改为它，成员就会出现在这里。'),
        action: manage,
      }}
    />
  )
}
