import { PlusOutlined } from '@ant-design/icons'
import {
  type ApiKey,
  createServiceKey,
  KeyState,
  keyKindLabels,
  keyStateLabels,
} from '@ithings/contract/features/api-keys.ts'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { lazy, useState } from 'react'
import { useConfirm } from '#kit/confirm.tsx'
import type { FilterField, ListPaging } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { May } from '#kit/rights.tsx'
import { useDialog } from '#kit/use-dialog.ts'
import { WhenOpened } from '#kit/when-opened.tsx'
import { keysQuery, revokeEndpoint, updateEndpoint, useRevokeKey, type Whose } from '../queries.ts'
import { keyColumns } from './key-columns.tsx'
import { MadeKey } from './made-key.tsx'

// Behind their buttons: the list does not wait for them.
const CreateOwnKeyForm = lazy(async () => ({ default: (await import('./key-form.tsx')).CreateOwnKeyForm }))
const CreateServiceKeyForm = lazy(async () => ({ default: (await import('./key-form.tsx')).CreateServiceKeyForm }))
const EditKeyForm = lazy(async () => ({ default: (await import('./key-form.tsx')).EditKeyForm }))

interface KeyFilters {
  name?: string
  kind?: number
  state?: number
}

const optionsOf = (labels: Record<number, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value: Number(value), label }))

const nameFilter: FilterField = { name: 'name', label: '名称', control: 'text' }
const kindFilter: FilterField = { name: 'kind', label: '类型', control: 'select', options: optionsOf(keyKindLabels) }
const stateFilter: FilterField = { name: 'state', label: '状态', control: 'select', options: optionsOf(keyStateLabels) }
const filters: Record<Whose, FilterField[]> = {
  own: [nameFilter, stateFilter],
  all: [nameFilter, kindFilter, stateFilter],
}

type Dialog = { kind: 'create' } | { kind: 'edit'; apiKey: ApiKey }

interface KeysPageProps {
  whose: Whose
  title: string
  subtitle: string
  createText: string
}

/** Everybody's keys for administrators, or one's own: the same list, and the same acts. */
export function KeysPage({ whose, title, subtitle, createText }: KeysPageProps) {
  const confirm = useConfirm()
  const revoke = useRevokeKey(whose)
  const { about: dialog, open, session, show, close } = useDialog<Dialog>()
  const [made, setMade] = useState<string>()
  const askRevoke = (apiKey: ApiKey) =>
    confirm({
      title: t('撤销 API 密钥「{name}」？', { name: apiKey.name }),
      content: t('使用它的程序会立即收到 401，撤销后不能恢复。'),
      danger: true,
      okText: t('撤销', { context: 'key' }),
      onOk: () => revoke.mutateAsync({ id: apiKey.id }),
      done: t('已撤销「{name}」', { name: apiKey.name }),
    })
  const button = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => show({ kind: 'create' })}>
      {createText}
    </Button>
  )
  const create = whose === 'all' ? <May needs={createServiceKey}>{button}</May> : button
  const CreateForm = whose === 'all' ? CreateServiceKeyForm : CreateOwnKeyForm
  return (
    <>
      <ListPage<ApiKey, KeyFilters>
        title={title}
        subtitle={subtitle}
        extra={create}
        filters={filters[whose]}
        columns={keyColumns[whose]}
        rowKey="id"
        storageKey={`api-keys-${whose}`}
        query={({ page, filters: given }: { page: ListPaging; filters: KeyFilters }) =>
          keysQuery(whose, { page, ...given } as Parameters<typeof keysQuery>[1])
        }
        exportName={t('API 密钥')}
        index
        rowActions={(apiKey) => {
          const ended = apiKey.state === KeyState.revoked
          const hint = ended ? { hint: t('已撤销的密钥不能修改') } : {}
          return [
            {
              key: 'edit',
              label: t('编辑'),
              needs: updateEndpoint(whose),
              onClick: () => show({ kind: 'edit', apiKey }),
              disabled: ended,
              ...hint,
            },
            {
              key: 'revoke',
              label: t('撤销', { context: 'key' }),
              needs: revokeEndpoint(whose),
              danger: true,
              onClick: () => askRevoke(apiKey),
              disabled: ended,
              ...hint,
            },
          ]
        }}
        empty={{
          title: t('还没有 API 密钥'),
          text: t('程序用密钥调用接口，不需要账号和密码。'),
          action: create,
        }}
      />
      <WhenOpened open={open}>
        {dialog?.kind === 'create' && <CreateForm key={session} open={open} onClose={close} onMade={setMade} />}
        {dialog?.kind === 'edit' && (
          <EditKeyForm key={session} apiKey={dialog.apiKey} whose={whose} open={open} onClose={close} />
        )}
      </WhenOpened>
      <MadeKey apiKey={made} onClose={() => setMade(undefined)} />
    </>
  )
}
