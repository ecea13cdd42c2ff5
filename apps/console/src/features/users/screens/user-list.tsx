import { CheckCircleOutlined, StopOutlined } from '@ant-design/icons'
import { EnabledStatus, enabledStatusLabels, type UserInfo } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import * as z from 'zod'
import { BatchModal } from '#kit/batch-modal.tsx'
import type { ListPaging } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { useUrlState } from '#kit/url-state.ts'
import { useDialog } from '#kit/use-dialog.ts'
import { WhenOpened } from '#kit/when-opened.tsx'
import { useMemo } from '#language/use-memo.ts'
import { personName } from '../labels.ts'
import { useUserActions } from '../parts/use-user-actions.tsx'
import { userColumns, userFilters } from '../parts/user-columns.tsx'
import { rolesQuery, useOwnID, useRoleNames, usersQuery, useUserStatus } from '../queries.ts'

// Behind their buttons: the list does not wait for them.
const ResetPasswordModal = lazy(async () => ({
  default: (await import('../parts/reset-password-modal.tsx')).ResetPasswordModal,
}))
const UserDetailDrawer = lazy(async () => ({
  default: (await import('../parts/user-detail-drawer.tsx')).UserDetailDrawer,
}))
const CreateUserForm = lazy(async () => ({ default: (await import('../parts/user-form.tsx')).CreateUserForm }))
const EditUserForm = lazy(async () => ({ default: (await import('../parts/user-form.tsx')).EditUserForm }))

interface BatchStatusModalProps {
  users: readonly UserInfo[]
  status: EnabledStatus
  open: boolean
  onClose: (ran: boolean) => void
}

const already: Record<EnabledStatus, string> = {
  [EnabledStatus.enabled]: '已是启用状态',
  [EnabledStatus.disabled]: '已是禁用状态',
}

/** Who is in that state already is named and left alone. */
function BatchStatusModal({ users, status, ...opened }: BatchStatusModalProps) {
  const change = useUserStatus()
  const word = t(enabledStatusLabels[status])
  return (
    <BatchModal<UserInfo>
      {...opened}
      word={word}
      unit={(count) => t('个用户', { count })}
      danger={status === EnabledStatus.disabled}
      items={users}
      keyOf={({ userID }) => userID}
      nameOf={personName}
      blocked={(user) => (user.status === status ? already[status] : undefined)}
      work={({ userID }) => change.mutateAsync({ userID, status })}
    >
      <p className="below-8 bare softer">
        {status === EnabledStatus.disabled
          ? t('他们的登录会话会立即结束，启用前无法再登录。')
          : t('他们可以立即重新登录。')}
      </p>
    </BatchModal>
  )
}

interface UserFilters {
  userName?: string
  nickName?: string
  phone?: string
  email?: string
  role?: number | string
  status?: EnabledStatus
}

type Dialog =
  | { kind: 'create' }
  | { kind: 'edit' | 'reset'; user: UserInfo }
  | { kind: 'batch'; users: UserInfo[]; status: EnabledStatus; clear: () => void }

// The open detail is in the URL, so that it can be shared and Back closes it.
const urlSchema = z.object({ detail: z.string() })
const urlDefaults = { detail: '' }

const query = ({ page, filters: { role, ...rest } }: { page: ListPaging; filters: UserFilters }) =>
  usersQuery({ page, ...rest, ...(role !== undefined && { role: Number(role) }) })

export function UserList() {
  const { about: dialog, open, session, show, close } = useDialog<Dialog>()
  const [{ detail }, setUrl] = useUrlState(urlSchema, urlDefaults)
  const ownID = useOwnID()
  const roles = useQuery(rolesQuery).data?.list
  const roleName = useRoleNames()
  const filters = useMemo(() => userFilters(roles?.map(({ id, name }) => ({ value: id, label: name }))), [roles])
  const columns = userColumns({ roleName, ownID, onOpen: (user) => setUrl({ detail: user.userID }) })
  const actions = useUserActions({
    ownID,
    onEdit: (user) => show({ kind: 'edit', user }),
    onReset: (user) => show({ kind: 'reset', user }),
  })
  return (
    <>
      <ListPage<UserInfo, UserFilters>
        title={t('用户管理')}
        subtitle={t('能登录平台的人，以及他们的角色和状态')}
        create={{ text: t('新增用户'), onClick: () => show({ kind: 'create' }) }}
        filters={filters}
        columns={columns}
        rowKey="userID"
        storageKey="users"
        query={query}
        exportName={t('用户')}
        index
        rowActions={actions}
        selection={{
          unit: t('人'),
          disabled: (user) => user.userID === ownID,
          actions: (users, clear) => (
            <>
              <Button
                type="text"
                icon={<CheckCircleOutlined />}
                onClick={() => show({ kind: 'batch', users, status: EnabledStatus.enabled, clear })}
              >
                {t('启用')}
              </Button>
              <Button
                type="text"
                icon={<StopOutlined />}
                onClick={() => show({ kind: 'batch', users, status: EnabledStatus.disabled, clear })}
              >
                {t('禁用')}
              </Button>
            </>
          ),
        }}
        empty={{ title: t('还没有用户'), text: t('为每个使用平台的人建一个账号，并分配角色。') }}
      />
      <WhenOpened open={detail !== ''}>
        <UserDetailDrawer userID={detail || undefined} onClose={() => setUrl({ detail: '' })} />
      </WhenOpened>
      <Suspense>
        {dialog?.kind === 'create' && <CreateUserForm key={session} open={open} onClose={close} />}
        {dialog?.kind === 'edit' && <EditUserForm key={session} user={dialog.user} open={open} onClose={close} />}
        {dialog?.kind === 'reset' && (
          <ResetPasswordModal key={session} user={dialog.user} open={open} onClose={close} />
        )}
      </Suspense>
      {dialog?.kind === 'batch' && (
        <BatchStatusModal
          key={session}
          users={dialog.users}
          status={dialog.status}
          open={open}
          onClose={(done) => {
            close()
            if (done) dialog.clear()
          }}
        />
      )}
    </>
  )
}
