import { PlusOutlined } from '@ant-design/icons'
import {
  createProvider,
  deleteProvider,
  listIdentities,
  type SignOnProvider,
  updateProvider,
} from '@ithings/contract/features/sign-on.ts'
import { EnabledStatus } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { enabledOptions } from '#blocks/enabled-status.ts'
import { useActs } from '#blocks/rollout/use-acts.ts'
import type { FilterField, RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { May } from '#kit/rights.tsx'
import { useDialog } from '#kit/use-dialog.ts'
import { providerColumns } from '../parts/provider-columns.tsx'
import { providersQuery, useDeleteProvider, useUpdateProvider } from '../queries.ts'

// Behind their buttons: the list does not wait for them.
const loadForm = () => import('../parts/provider-form.tsx')
const CreateProviderForm = lazy(async () => ({ default: (await loadForm()).CreateProviderForm }))
const EditProviderForm = lazy(async () => ({ default: (await loadForm()).EditProviderForm }))
const PeopleDrawer = lazy(async () => ({ default: (await import('../parts/people-drawer.tsx')).PeopleDrawer }))

interface Filters {
  name?: string
  status?: EnabledStatus
}

const filters: FilterField[] = [
  { name: 'name', label: '名称', control: 'text', width: 176 },
  { name: 'status', label: '状态', control: 'select', options: enabledOptions, width: 144 },
]

type Dialog = { kind: 'create' } | { kind: 'edit' | 'people'; provider: SignOnProvider }

function Dialogs({ about, ...state }: { about: Dialog; open: boolean; onClose: () => void }) {
  switch (about.kind) {
    case 'create':
      return <CreateProviderForm {...state} />
    case 'edit':
      return <EditProviderForm provider={about.provider} {...state} />
    case 'people':
      return <PeopleDrawer provider={about.provider} {...state} />
  }
}

function useActions(show: (dialog: Dialog) => void): (provider: SignOnProvider) => RowAction[] {
  const { ask, orTell } = useActs()
  const update = useUpdateProvider()
  const remove = useDeleteProvider()
  const toggle = ({ id, name, status }: SignOnProvider) => {
    if (status === EnabledStatus.disabled)
      return void orTell(
        t('启用'),
        update.mutateAsync({ id, status: EnabledStatus.enabled }),
        t('已启用「{name}」', { name }),
      )
    ask({
      title: t('停用企业登录「{name}」？', { name }),
      content: t('登录页不再显示它，通过它登录的人立即下线。'),
      okText: t('停用'),
      work: () => update.mutateAsync({ id, status: EnabledStatus.disabled }),
      done: t('已停用「{name}」', { name }),
    })
  }
  const askDelete = ({ id, name, users }: SignOnProvider) =>
    ask({
      title: t('删除企业登录「{name}」？', { name }),
      content: t(
        '{count} 个企业账号的关联一起删除，通过它登录的人立即下线；没有密码的用户此后不能登录，除非管理员重置密码。',
        {
          count: users,
        },
      ),
      danger: true,
      okText: t('删除'),
      work: () => remove.mutateAsync({ id }),
      done: t('删除成功'),
    })
  return (provider) => [
    { key: 'edit', label: t('编辑'), needs: updateProvider, onClick: () => show({ kind: 'edit', provider }) },
    { key: 'people', label: t('企业账号'), needs: listIdentities, onClick: () => show({ kind: 'people', provider }) },
    {
      key: 'toggle',
      label: provider.status === EnabledStatus.disabled ? t('启用') : t('停用'),
      needs: updateProvider,
      onClick: () => toggle(provider),
    },
    { key: 'delete', label: t('删除'), needs: deleteProvider, danger: true, onClick: () => askDelete(provider) },
  ]
}

/** screens.md 34: OpenID Connect providers by which people of the company sign in. */
export function ProviderList() {
  const { about, open, session, show, close } = useDialog<Dialog>()
  const actionsOf = useActions(show)
  const create = (
    <May needs={createProvider}>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => show({ kind: 'create' })}>
        {t('新增企业登录')}
      </Button>
    </May>
  )
  return (
    <>
      <ListPage<SignOnProvider, Filters>
        title={t('企业登录')}
        subtitle={t('用公司的账号登录平台（OpenID Connect），角色由对方给出的信息决定')}
        extra={create}
        filters={filters}
        columns={providerColumns({
          onEdit: (provider) => show({ kind: 'edit', provider }),
          onPeople: (provider) => show({ kind: 'people', provider }),
        })}
        rowKey={({ id }) => String(id)}
        storageKey="sign-on"
        query={({ page, filters: wanted }) => providersQuery({ page, ...wanted })}
        exportName={t('企业登录')}
        rowActions={actionsOf}
        empty={{
          title: t('还没有企业登录'),
          text: t('填写公司登录服务的签发者地址和客户端，登录页就会多一个按钮。'),
          action: create,
        }}
      />
      <Suspense>{about && <Dialogs key={session} about={about} open={open} onClose={close} />}</Suspense>
    </>
  )
}
