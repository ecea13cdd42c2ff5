import type { UserInfo } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import { enabledLooks, enabledOptions } from '#blocks/enabled-status.ts'
import { Copyable } from '#kit/copyable.tsx'
import type { FilterField, FilterOption, ListColumn } from '#kit/list-page/list-contract.ts'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import './users.css'

/** Roles are absent until they are read: a filter in the URL must count from the first request on. */
export const userFilters = (roles: FilterOption[] | undefined): FilterField[] => [
  { name: 'userName', label: t('用户名'), control: 'text', width: 168 },
  { name: 'nickName', label: t('昵称'), control: 'text', width: 168 },
  { name: 'role', label: t('角色'), control: 'select', ...(roles && { options: roles }) },
  { name: 'status', label: t('状态'), control: 'select', options: enabledOptions, width: 112 },
  { name: 'phone', label: t('手机号'), control: 'text', width: 168, advanced: true },
  { name: 'email', label: t('邮箱'), control: 'text', width: 208, advanced: true },
]

interface ColumnParts {
  roleName: (role: number) => string
  ownID: string | undefined
  onOpen: (user: UserInfo) => void
}

export const userColumns = ({ roleName, ownID, onOpen }: ColumnParts): ListColumn<UserInfo>[] => [
  {
    key: 'userName',
    title: t('用户名'),
    hideable: false,
    sorter: true,
    phone: 'title',
    render: (_value, user) => (
      <span className="inline-row gap-8">
        <Copyable text={user.userName}>
          <button type="button" className="plain-button link" onClick={() => onOpen(user)}>
            {user.userName}
          </button>
        </Copyable>
        {user.userID === ownID && <span className="small-tag tone-processing">{t('本人')}</span>}
      </span>
    ),
    exportText: (user) => user.userName,
  },
  { key: 'nickName', title: t('昵称'), dataIndex: 'nickName', sorter: true, truncate: 160, phone: 'subtitle' },
  { key: 'role', title: t('角色'), sorter: true, phone: 'meta', exportText: (user) => roleName(user.role) },
  { key: 'phone', title: t('手机号'), dataIndex: 'phone', phone: 'hide' },
  { key: 'email', title: t('邮箱'), dataIndex: 'email', truncate: 200, phone: 'hide' },
  { key: 'status', title: t('状态'), sorter: true, phone: 'status', looks: enabledLooks },
  {
    key: 'lastLoginTime',
    title: t('最后登录'),
    sorter: true,
    phone: 'meta',
    render: (_value, user) => (
      <span className="last-login inline-flex baseline nowrap gap-8">
        <TimeText value={user.lastLoginTime} />
        {user.lastIP && <span className="meta mono">{user.lastIP}</span>}
      </span>
    ),
    exportText: (user) => `${formatTime(user.lastLoginTime)} ${user.lastIP}`.trim(),
  },
  {
    key: 'createdTime',
    title: t('创建时间'),
    sorter: true,
    // The others fill 1440 px; it is in the details as well.
    hiddenAtFirst: true,
    phone: 'hide',
    time: 'exact',
  },
]
