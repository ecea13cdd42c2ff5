import { RightOutlined } from '@ant-design/icons'
import { createDevice, type Device, DeviceStatus, deviceStatusLabels } from '@ithings/contract/features/devices/info.ts'
import type { Product } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton, Table, type TableProps } from 'antd'
import { Link, useNavigate } from 'react-router'
import { DeviceLink } from '#blocks/device-link.tsx'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import { numberText } from '#kit/number-text.ts'
import { devicesOfProductPath, newDevicePath } from '#kit/paths.ts'
import { ActButton } from '#kit/rights.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { deviceCountQuery, newestDevicesQuery } from '../queries.ts'

type Column = NonNullable<TableProps<Device>['columns']>[number]

const columns: (Column & { title: string })[] = [
  {
    key: 'name',
    title: '设备名称',
    render: (_v, row) => <DeviceLink device={row} />,
  },
  { key: 'alias', title: '设备别名', render: (_v, row) => row.deviceAlias || <span className="no-value">—</span> },
  { key: 'status', title: '在线状态', render: (_v, row) => <DeviceStatusTag device={row} /> },
  {
    key: 'version',
    title: '固件版本',
    render: (_v, row) =>
      row.version ? <span className="mono">{row.version}</span> : <span className="no-value">—</span>,
  },
  { key: 'last', title: '最后上线', render: (_v, row) => <TimeText value={row.lastLogin} /> },
  { key: 'created', title: '创建时间', render: (_v, row) => <TimeText value={row.createdTime} mode="exact" /> },
]

/** What fits beside each other on a phone. */
const phoneKeys: unknown[] = ['name', 'status', 'last']

/** screens.md 4.5: how many there are and the newest ten; the whole list is the device screen with this product. */
export function DevicesTab({ product: { productID } }: { product: Product }) {
  const navigate = useNavigate()
  const phone = usePhone()
  const counts = useQuery(deviceCountQuery(productID)).data?.deviceCount
  const newest = useQuery(newestDevicesQuery(productID))
  const all = devicesOfProductPath(productID)
  const add = (
    <ActButton needs={createDevice} type="primary" onClick={() => void navigate(newDevicePath(productID))}>
      {t('新增设备')}
    </ActButton>
  )
  if (newest.isError && !newest.data) {
    return (
      <section className="sheet">
        <QueryError subject={t('设备列表')} query={newest} />
      </section>
    )
  }
  if (!newest.data) return <Skeleton active className="sheet pad-16" paragraph={{ rows: 8 }} />
  if (newest.data.total === 0) {
    return (
      <section className="sheet">
        <StateBlock
          variant="empty"
          title={t('这个产品还没有设备')}
          text={t('逐台新增、批量新增，或用 CSV 一次导入。')}
          action={add}
        />
      </section>
    )
  }
  const figures: [string, number | undefined, number | undefined][] = [
    [t('设备总数'), newest.data.total, undefined],
    [t(deviceStatusLabels[DeviceStatus.online]), counts?.online, DeviceStatus.online],
    [t(deviceStatusLabels[DeviceStatus.offline]), counts?.offline, DeviceStatus.offline],
    [t(deviceStatusLabels[DeviceStatus.inactive]), counts?.inactive, DeviceStatus.inactive],
  ]
  return (
    <section className="sheet" aria-label={t('设备列表')}>
      <ul className="device-figures line-bottom grid bare-list">
        {figures.map(([label, value, status]) => (
          <li key={label}>
            <Link
              className="column pad-12-16 softer hover-fill"
              to={status === undefined ? all : `${all}&status=${status}`}
            >
              <span>{label}</span>
              <b>{value === undefined ? '—' : numberText(value)}</b>
            </Link>
          </li>
        ))}
      </ul>
      <div className="product-page-card-head high-32 row between" style={{ padding: '8px 16px' }}>
        <h2 className="title">{t('最近新增')}</h2>
        <span className="inline-row gap-16">
          <Link to={all}>
            {t('查看全部设备')} <RightOutlined />
          </Link>
          {add}
        </span>
      </div>
      <Table<Device>
        className="plain-table"
        aria-label={t('最近新增的设备')}
        size="medium"
        rowKey="deviceName"
        columns={columns
          .filter(({ key }) => !phone || phoneKeys.includes(key))
          .map((column) => ({ ...column, title: t(column.title) }))}
        dataSource={newest.data.list}
        pagination={false}
        scroll={{ x: 'max-content' }}
      />
    </section>
  )
}
