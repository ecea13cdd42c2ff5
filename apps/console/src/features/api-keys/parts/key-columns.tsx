import { type ApiKey, KeyKind, KeyState, keyKindLabels, keyStateLabels } from '@ithings/contract/features/api-keys.ts'
import { t } from '@ithings/contract/text.ts'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'
import type { Whose } from '../queries.ts'

const stateLooks: StatusLooks = {
  [KeyState.valid]: { text: keyStateLabels[KeyState.valid], tone: 'success' },
  [KeyState.expired]: { text: keyStateLabels[KeyState.expired], tone: 'warning' },
  [KeyState.revoked]: { text: keyStateLabels[KeyState.revoked], tone: 'default' },
}

const scopeText = ({ apis, productID, productName, groupID, groupName }: ApiKey): string => {
  const what = apis.length === 0 ? t('全部接口') : t('{count} 个接口', { count: apis.length })
  if (productID !== '') return t('{what}，产品「{name}」', { what, name: productName || productID })
  return groupID === 0 ? what : t('{what}，分组「{name}」', { what, name: groupName || groupID })
}

const ownerText = ({ kind, userName, roleName }: ApiKey): string => (kind === KeyKind.service ? roleName : userName)

const owners: ListColumn<ApiKey>[] = [
  {
    key: 'kind',
    title: '类型',
    width: 104,
    phone: 'meta',
    labels: keyKindLabels,
  },
  { key: 'owner', title: '归属', width: 140, phone: 'meta', exportText: ownerText },
]

const own: ListColumn<ApiKey>[] = [
  {
    key: 'name',
    title: '名称',
    hideable: false,
    width: 200,
    sorter: true,
    phone: 'title',
    render: (_value, { name, hint }) => (
      <span className="column">
        <span>{name}</span>
        <span className="meta mono">{hint}…</span>
      </span>
    ),
    exportText: ({ name }) => name,
  },
  { key: 'scope', title: '范围', phone: 'subtitle', truncate: 240, exportText: scopeText },
  { key: 'state', title: '状态', width: 104, phone: 'status', looks: stateLooks },
  { key: 'usedTime', title: '最近使用', sorter: true, width: 160, phone: 'meta', time: 'relative' },
  { key: 'usedIP', title: '使用地址', width: 140, dataIndex: 'usedIP', hiddenAtFirst: true },
  { key: 'expiresTime', title: '到期时间', sorter: true, width: 184, phone: 'meta', time: 'exact' },
  { key: 'createdBy', title: '创建人', width: 120, dataIndex: 'createdBy', hiddenAtFirst: true },
  { key: 'createdTime', title: '创建时间', sorter: true, width: 184, phone: 'hide', time: 'exact' },
]

export const keyColumns: Record<Whose, ListColumn<ApiKey>[]> = { own, all: own.toSpliced(1, 0, ...owners) }
