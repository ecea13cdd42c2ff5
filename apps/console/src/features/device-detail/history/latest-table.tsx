import { SearchOutlined } from '@ant-design/icons'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { dataTypeLabels } from '@ithings/contract/thing-model/define.ts'
import type { Property, ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Input, Table, type TableProps } from 'antd'
import { useState } from 'react'
import { TypedValue } from '#blocks/typed-value/typed-value.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { latestQuery } from '../live-queries.ts'
import { filterRows, type PropertyRow, propertyRows } from '../state/property-rows.ts'
import { maxProperties } from './history-plan.ts'

interface Opening {
  onOpen: (identifiers: string[]) => void
}

interface LatestTableProps extends Opening {
  device: Device
  model: ThingModel
}

const HistoryButton = ({ property, onOpen }: { property: Property } & Opening) =>
  property.isNoRecord ? (
    <span className="meta">{t('不记录历史')}</span>
  ) : (
    <Button
      className="softer"
      style={{ marginInlineStart: -7 }}
      type="text"
      size="small"
      aria-label={t('查看{name}的历史', { name: property.name })}
      onClick={() => onOpen([property.identifier])}
    >
      {t('查看')}
    </Button>
  )

/** screens.md 6.4: every property with its latest value, and the way to its history; some together, too. */
export function LatestTable({ device, model, onOpen }: LatestTableProps) {
  const latest = useQuery(latestQuery(device))
  return (
    <Loaded query={latest} subject={t('最新属性')}>
      {({ list }) => <Latest all={propertyRows(model, list, { online: true, now: Date.now() })} onOpen={onOpen} />}
    </Loaded>
  )
}

function Latest({ all, onOpen }: { all: readonly PropertyRow[] } & Opening) {
  const phone = usePhone()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const rows = filterRows(all, 'all', search)
  return (
    <div className="sheet pane">
      <div className="history-bar gap-8-12 row wrap below-12">
        <Input
          allowClear
          className="history-search"
          prefix={<SearchOutlined />}
          placeholder={t('名称或标识符')}
          aria-label={t('搜索属性')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        {!phone && (
          <span className="inline-row wrap to-end gap-8">
            <span className="meta">{t('勾选最多 {count} 个属性，画在一张图上', { count: maxProperties })}</span>
            <Button disabled={chosen.length === 0} onClick={() => onOpen(chosen)}>
              {t('查看历史')}
              {chosen.length > 0 && ` (${chosen.length})`}
            </Button>
          </span>
        )}
      </div>
      {phone ? (
        <LatestCards rows={rows} onOpen={onOpen} />
      ) : (
        <Table<PropertyRow>
          className="flush-table"
          aria-label={t('最新属性')}
          size="medium"
          pagination={false}
          sticky
          dataSource={rows}
          rowKey={({ property }) => property.identifier}
          scroll={{ x: 'max-content' }}
          locale={{ emptyText: t('没有符合条件的属性') }}
          rowSelection={{
            selectedRowKeys: chosen,
            hideSelectAll: true,
            columnTitle: <span className="visually-hidden">{t('选择')}</span>,
            onChange: (keys) => setChosen(keys.map(String).slice(0, maxProperties)),
            getCheckboxProps: ({ property }) => ({
              disabled:
                property.isNoRecord || (chosen.length >= maxProperties && !chosen.includes(property.identifier)),
              'aria-label': t('选择{name}', { name: property.name }),
            }),
          }}
          columns={columnsOf(onOpen)}
        />
      )}
    </div>
  )
}

const LatestCards = ({ rows, onOpen }: { rows: readonly PropertyRow[] } & Opening) => (
  <ul className="latest-cards bare-list">
    {rows.map(({ property, text, timestamp }) => (
      <li key={property.identifier} className="row between line-above touches gap-12">
        <div>
          <div>{property.name}</div>
          <code className="mono-payload meta block">{property.identifier}</code>
          <TypedValue define={property.define} text={text} />
          <div className="meta">{timestamp > 0 ? <TimeText value={timestamp} /> : t('从未上报')}</div>
        </div>
        <HistoryButton property={property} onOpen={onOpen} />
      </li>
    ))}
  </ul>
)

const columnsOf = (onOpen: Opening['onOpen']): TableProps<PropertyRow>['columns'] => [
  { key: 'name', title: t('功能名称'), render: (_, { property }) => property.name },
  {
    key: 'identifier',
    title: t('标识符'),
    render: (_, { property }) => <span className="mono">{property.identifier}</span>,
  },
  { key: 'type', title: t('数据类型'), render: (_, { property }) => labelOf(dataTypeLabels, property.define.type) },
  {
    key: 'value',
    title: t('最新值'),
    render: (_, { property, text }) => <TypedValue define={property.define} text={text} />,
  },
  {
    key: 'time',
    title: t('更新时间'),
    render: (_, { timestamp }) =>
      timestamp > 0 ? <TimeText value={timestamp} /> : <span className="meta">{t('从未上报')}</span>,
  },
  {
    key: 'history',
    title: t('历史数据'),
    fixed: 'end',
    render: (_, { property }) => <HistoryButton property={property} onOpen={onOpen} />,
  },
]
