import { SearchOutlined } from '@ant-design/icons'
import type { Device, DeviceStatus } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Input, Pagination, Select, Table, type TableProps } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { QueryError } from '#kit/states/loaded.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { DeviceStatusTag, deviceStatusOptions } from '../device-status.tsx'
import { distinctTags, TagFilter, tagsOf } from '../tags.tsx'
import { translated } from '../translated.ts'
import './device-choice.css'
import { type DeviceRowsFilter, deviceRowsQuery } from './device-rows-query.ts'

export interface ExtraDeviceColumn {
  title: string
  width?: number
  render: (device: Device) => ReactNode
}

interface DeviceRowsProps {
  /** Which devices at all: a product, perhaps a group of it. */
  within: DeviceRowsFilter
  title: ReactNode
  /** Ticked names, and what a tick does; without it rows can only be read. */
  selection?: { chosen: readonly string[]; toggle: (names: string[], on: boolean) => void }
  extra?: ExtraDeviceColumn | undefined
  /** Rows that will not be reached. */
  isDim?: (device: Device) => boolean
  /** What stands beside the filters when something matches; `filter` is all that is asked for. */
  actions?: (filter: DeviceRowsFilter, total: number) => ReactNode
  /** Only the search, no other filters. */
  plain?: boolean
}

const pageSize = 10

interface Asked {
  keyword: string
  version: string
  status?: DeviceStatus | undefined
  tags?: string | undefined
}

function useFilter(within: DeviceRowsFilter) {
  const [asked, setAsked] = useState<Asked>({
    keyword: '',
    version: '',
  })
  const [page, setPage] = useState(1)
  const { tags, status, ...rest } = asked
  const filter = { ...within, ...rest, ...tagsOf(tags), ...(status && { status }) }
  const change = (patch: Partial<Asked>) => {
    setAsked({ ...asked, ...patch })
    setPage(1)
  }
  return { asked, change, filter, page, setPage }
}

const columnsOf = (phone: boolean, extra: ExtraDeviceColumn | undefined): TableProps<Device>['columns'] => [
  {
    key: 'device',
    title: t('设备'),
    ellipsis: true,
    render: (_value, { deviceAlias, deviceName }) => (
      <span
        className="choice-device column anywhere line-18"
        title={deviceAlias ? `${deviceAlias} ${deviceName}` : deviceName}
      >
        {deviceAlias && <span>{deviceAlias}</span>}
        <span className={deviceAlias ? 'mono small quiet' : 'mono'}>{deviceName}</span>
      </span>
    ),
  },
  { key: 'status', title: t('状态'), width: 88, render: (_value, device) => <DeviceStatusTag device={device} /> },
  ...(phone
    ? []
    : [
        {
          key: 'version',
          title: t('固件'),
          width: 88,
          ellipsis: true,
          render: (_value: unknown, { version }: Device) =>
            version ? <span className="mono">{version}</span> : <span className="no-value">—</span>,
        },
        {
          key: 'lastLogin',
          title: t('最后上线'),
          width: 108,
          render: (_value: unknown, device: Device) =>
            device.firstLogin === '0' ? (
              <span className="no-value">{t('从未')}</span>
            ) : (
              <TimeText value={device.lastLogin} />
            ),
        },
      ]),
  ...(extra
    ? [
        {
          key: 'extra',
          title: extra.title,
          width: extra.width ?? 96,
          render: (_v: unknown, d: Device) => extra.render(d),
        },
      ]
    : []),
]

interface FiltersProps {
  asked: Asked
  change: (patch: Partial<Asked>) => void
  /** Of the rows shown, whose tags are suggested. */
  list: readonly Device[]
  children: ReactNode
}

function Filters({ asked, change, list, children }: FiltersProps) {
  const tagsID = useId()
  return (
    <div className="choice-filters gap-8 grid">
      <Select
        aria-label={t('状态')}
        allowClear
        placeholder={t('状态')}
        value={asked.status ?? null}
        options={translated(deviceStatusOptions)}
        onChange={(status?: DeviceStatus) => change({ status })}
      />
      <Input
        aria-label={t('固件版本')}
        placeholder={t('固件版本')}
        allowClear
        value={asked.version}
        onChange={(event) => change({ version: event.target.value })}
      />
      <TagFilter
        id={tagsID}
        value={asked.tags}
        onChange={(tags) => change({ tags })}
        suggestions={distinctTags(list.flatMap((device) => device.tags))}
      />
      {children}
    </div>
  )
}

/** A tick, or a click anywhere in the row. */
const ticking = ({ chosen, toggle }: NonNullable<DeviceRowsProps['selection']>): TableProps<Device> => ({
  rowSelection: {
    columnWidth: 40,
    selectedRowKeys: [...chosen],
    preserveSelectedRowKeys: true,
    onSelect: ({ deviceName }, on) => toggle([deviceName], on),
    onSelectAll: (on, _all, changed) =>
      toggle(
        changed.map(({ deviceName }) => deviceName),
        on,
      ),
  },
  onRow: ({ deviceName }) => ({ onClick: () => toggle([deviceName], !chosen.includes(deviceName)) }),
})

/** The devices of a product or group, searched and paged by the server. */
export function DeviceRows({ within, title, selection, extra, isDim, actions, plain = false }: DeviceRowsProps) {
  const phone = usePhone()
  const { asked, change, filter, page, setPage } = useFilter(within)
  const rows = useQuery(deviceRowsQuery(filter, page, pageSize))
  const total = rows.data?.total ?? 0
  const list = rows.data?.list ?? []
  const isFiltered = asked.keyword !== '' || asked.version !== '' || asked.status !== undefined || Boolean(asked.tags)
  return (
    <section className="boxed clip container-fill column shrink">
      <header className="choice-head row between gap-12">
        <span className="choice-title nowrap bold">{title}</span>
        <Input
          className="choice-search"
          aria-label={t('设备名称或别名')}
          placeholder={t('设备名称或别名')}
          prefix={<SearchOutlined aria-hidden="true" />}
          allowClear
          value={asked.keyword}
          onChange={(event) => change({ keyword: event.target.value })}
        />
      </header>
      {!plain && (
        <Filters asked={asked} change={change} list={list}>
          {total > 0 && actions?.(filter, total)}
        </Filters>
      )}
      {rows.isError && !rows.data ? (
        <QueryError subject={t('设备')} query={rows} compact />
      ) : (
        <Table<Device>
          size="small"
          className="choice-table"
          rowKey="deviceName"
          loading={rows.isPending || rows.isPlaceholderData}
          columns={columnsOf(phone, extra)}
          dataSource={list}
          pagination={false}
          tableLayout="fixed"
          rowClassName={(device) => (isDim?.(device) ? 'choice-dim' : '')}
          locale={{ emptyText: isFiltered ? t('没有符合条件的设备') : t('这里还没有设备') }}
          {...(selection && ticking(selection))}
        />
      )}
      <footer className="choice-foot line-above row between gap-12">
        <span className="meta">{t('共 {count, number} 台', { count: total })}</span>
        <Pagination
          size="small"
          simple
          current={page}
          pageSize={pageSize}
          total={total}
          showSizeChanger={false}
          onChange={setPage}
        />
      </footer>
    </section>
  )
}
