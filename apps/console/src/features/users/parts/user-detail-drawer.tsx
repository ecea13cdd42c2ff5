import { sexLabels, type UserInfo } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Avatar, Descriptions, Skeleton, Tabs } from 'antd'
import { enabledLooks } from '#blocks/enabled-status.ts'
import { Copyable } from '#kit/copyable.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { useRoleNames, userQuery } from '../queries.ts'
import { RecentOperations, SignInHistory } from './user-history.tsx'
import './users.css'

function Profile({ user, phone }: { user: UserInfo; phone: boolean }) {
  const roleName = useRoleNames()
  const place = [user.country, user.province, user.city].filter(Boolean).join(' ')
  return (
    <Descriptions
      colon={false}
      column={phone ? 1 : 2}
      styles={{ label: { width: 84 } }}
      items={[
        { key: 'userName', label: t('用户名'), children: <Copyable text={user.userName} /> },
        { key: 'userID', label: t('用户编号'), children: <Copyable text={user.userID} /> },
        { key: 'nickName', label: t('昵称'), children: user.nickName || '—' },
        { key: 'role', label: t('角色'), children: roleName(user.role) },
        { key: 'phone', label: t('手机号'), children: <Copyable text={user.phone} /> },
        { key: 'email', label: t('邮箱'), children: <Copyable text={user.email} maxWidth={200} /> },
        { key: 'sex', label: t('性别'), children: labelOf(sexLabels, user.sex) },
        { key: 'place', label: t('地区'), children: place || '—' },
        { key: 'secondFactor', label: t('两步验证'), children: user.secondFactor ? t('已启用') : t('未启用') },
        { key: 'passkeys', label: t('通行密钥'), children: t('{count} 个', { count: user.passkeys }) },
        { key: 'lastLoginTime', label: t('最后登录'), children: <TimeText value={user.lastLoginTime} mode="exact" /> },
        { key: 'lastIP', label: t('登录地址'), children: <Copyable text={user.lastIP} /> },
        { key: 'createdTime', label: t('创建时间'), children: <TimeText value={user.createdTime} mode="exact" /> },
        { key: 'regIP', label: t('创建地址'), children: <Copyable text={user.regIP} /> },
      ]}
    />
  )
}

function Detail({ userID, phone }: { userID: string; phone: boolean }) {
  const { data: user, error, isFetching, refetch } = useQuery(userQuery(userID))
  const roleName = useRoleNames()
  if (error && !user) {
    return <ErrorState subject={t('用户')} error={error} retrying={isFetching} onRetry={() => void refetch()} />
  }
  if (!user) return <Skeleton active avatar paragraph={{ rows: 6 }} />
  const name = user.nickName || user.userName
  return (
    <>
      <div className="below-12 row gap-12">
        <Avatar size={48} src={user.headImgUrl || undefined} className="fixed">
          {name.slice(0, 1).toUpperCase()}
        </Avatar>
        <div className="size-16 line-24 column shrink bold">
          <span>{name}</span>
          <span className="meta regular">{roleName(user.role)}</span>
        </div>
        <StatusTag looks={enabledLooks} value={user.status} filled />
      </div>
      <Tabs
        items={[
          { key: 'profile', label: t('资料'), children: <Profile user={user} phone={phone} /> },
          { key: 'sign-ins', label: t('登录记录'), children: <SignInHistory userID={userID} /> },
          { key: 'operations', label: t('最近操作'), children: <RecentOperations userID={userID} /> },
        ]}
      />
    </>
  )
}

/** Who somebody is and what he did lately, beside the list. */
export function UserDetailDrawer({ userID, onClose }: { userID: string | undefined; onClose: () => void }) {
  const phone = usePhone()
  return (
    <SideDrawer title={t('用户详情')} open={userID !== undefined} onClose={onClose} width={640}>
      {userID !== undefined && <Detail key={userID} userID={userID} phone={phone} />}
    </SideDrawer>
  )
}
