import { businessTypeLabels, httpMethodLabels } from '@ithings/contract/endpoint.ts'
import type { Api } from '@ithings/contract/features/apis.ts'
import { t } from '@ithings/contract/text.ts'
import { Tag, Tooltip } from 'antd'
import { BusinessTypeTag } from '#blocks/business-type.tsx'
import { Copyable } from '#kit/copyable.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { builtInHint } from '../labels.ts'

const shownRoles = 2

/** The first roles by name, the others by number with their names in a tooltip. */
function Roles({ names }: { names: readonly string[] }) {
  const rest = names.slice(shownRoles)
  return (
    <span className="inline-flex wrap gap-4">
      {names.slice(0, shownRoles).map((name) => (
        <Tag key={name} className="bare">
          {name}
        </Tag>
      ))}
      {rest.length > 0 && (
        <Tooltip title={rest.join(t('、'))}>
          <Tag className="bare">+{rest.length}</Tag>
        </Tooltip>
      )}
    </span>
  )
}

export const apiColumns: ListColumn<Api>[] = [
  { key: 'id', title: '接口编号', dataIndex: 'id', sorter: true, hiddenAtFirst: true },
  {
    key: 'name',
    title: '接口名称',
    dataIndex: 'name',
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, row) => (
      <span className="inline-row gap-8">
        {row.name}
        {row.builtIn && (
          <Tooltip title={t(builtInHint)}>
            <span>
              <StatusTag filled text={t('内置')} tone="default" />
            </span>
          </Tooltip>
        )}
      </span>
    ),
  },
  {
    key: 'route',
    title: '接口路由',
    dataIndex: 'route',
    sorter: true,
    phone: 'subtitle',
    render: (_value, row) => <Copyable text={row.route} maxWidth={220} />,
  },
  {
    key: 'method',
    title: '请求方式',
    sorter: true,
    phone: 'meta',
    render: (_value, row) => <span className="mono">{labelOf(httpMethodLabels, row.method)}</span>,
    labels: httpMethodLabels,
  },
  { key: 'group', title: '接口分组', dataIndex: 'group', sorter: true, phone: 'meta' },
  {
    key: 'businessType',
    title: '业务类型',
    sorter: true,
    phone: 'status',
    render: (_value, row) => <BusinessTypeTag value={row.businessType} />,
    labels: businessTypeLabels,
  },
  {
    key: 'roles',
    title: '持有角色',
    phone: 'meta',
    render: (_value, row) => <Roles names={row.roles} />,
    exportText: (row) => row.roles.join(t('、')),
  },
]
