import type { SignOnProvider } from '@ithings/contract/features/sign-on.ts'
import { t } from '@ithings/contract/text.ts'
import { enabledLooks } from '#blocks/enabled-status.ts'
import type { ListColumn } from '#kit/list-page/list-contract.ts'

interface ColumnParts {
  onEdit: (provider: SignOnProvider) => void
  onPeople: (provider: SignOnProvider) => void
}

export const providerColumns = ({ onEdit, onPeople }: ColumnParts): ListColumn<SignOnProvider>[] => [
  {
    key: 'name',
    title: t('名称'),
    width: 200,
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, provider) => (
      <button type="button" className="plain-button cut start link inline-block" onClick={() => onEdit(provider)}>
        {provider.name}
      </button>
    ),
    exportText: ({ name }) => name,
  },
  { key: 'status', title: t('状态'), width: 96, sorter: true, phone: 'status', looks: enabledLooks },
  {
    key: 'issuer',
    title: t('签发者地址'),
    phone: 'subtitle',
    truncate: 320,
    render: (_value, { issuer }) => <span className="mono">{issuer}</span>,
    exportText: ({ issuer }) => issuer,
  },
  { key: 'key', title: t('标识'), width: 140, dataIndex: 'key', phone: 'meta' },
  {
    key: 'createUsers',
    title: t('首次登录'),
    width: 120,
    phone: 'meta',
    exportText: ({ createUsers }) => (createUsers ? t('创建用户') : t('须先关联')),
  },
  {
    key: 'users',
    title: t('企业账号'),
    width: 104,
    phone: 'meta',
    render: (_value, provider) => (
      <button type="button" className="plain-button link" onClick={() => onPeople(provider)}>
        {provider.users}
      </button>
    ),
    exportText: ({ users }) => users,
  },
  { key: 'createdTime', title: t('创建时间'), sorter: true, width: 184, time: 'exact', hiddenAtFirst: true },
]
