import {
  authModeLabels,
  autoRegisterLabels,
  dataProtoLabels,
  deviceTypeLabels,
  netTypeLabels,
  type Product,
} from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { DeviceTypeTag } from '#blocks/device-status.tsx'
import { TagList } from '#blocks/tags.tsx'
import { Copyable } from '#kit/copyable.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { numberText } from '#kit/number-text.ts'
import { productPath } from '#kit/paths.ts'
import { tagsText } from '#kit/tag-input.tsx'
import { formatTime } from '#kit/time.ts'
import { countWords } from '../model-counts.ts'
import { ProductFace } from './product-face.tsx'

const dayFormat = 'YYYY-MM-DD'

/** How many of the devices are online, as a bar and in figures. */
export function OnlineShare({ onlineCount, deviceCount }: Pick<Product, 'onlineCount' | 'deviceCount'>) {
  const share = deviceCount > 0 ? onlineCount / deviceCount : 0
  return (
    <span className="middle inline-row nowrap gap-8">
      <span className="online-bar clip grey-fill">
        <span style={{ width: `${share * 100}%` }} />
      </span>
      {deviceCount > 0 ? (
        <span>
          <b>{numberText(onlineCount)}</b>
          <span className="quiet"> / {numberText(deviceCount)}</span>
        </span>
      ) : (
        <span className="quiet">{t('暂无设备')}</span>
      )}
    </span>
  )
}

function ModelCounts({ propertyCount, eventCount, actionCount }: Product) {
  return (
    <span
      className="model-counts"
      title={t(
        '属性 {properties}，事件 {events}，行为 {actions}',
        countWords({ properties: propertyCount, events: eventCount, actions: actionCount }),
      )}
    >
      {propertyCount} <i>/</i> {eventCount} <i>/</i> {actionCount}
    </span>
  )
}

export const productColumns: ListColumn<Product>[] = [
  {
    key: 'productName',
    title: '产品名称',
    dataIndex: 'productName',
    className: 'cell-name',
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, row) => (
      <Link className="fit middle inline-row gap-8" to={productPath(row.productID)}>
        <ProductFace product={row} />
        <span className="cut" style={{ maxWidth: 220 }} title={row.productName}>
          {row.productName}
        </span>
      </Link>
    ),
  },
  {
    key: 'productID',
    title: '产品 ID',
    dataIndex: 'productID',
    className: 'cell-id',
    phone: 'subtitle',
    render: (_value, row) => <Copyable text={row.productID} />,
  },
  {
    key: 'deviceType',
    title: '设备类型',
    className: 'cell-type',
    phone: 'status',
    render: (_value, row) => <DeviceTypeTag value={row.deviceType} />,
    labels: deviceTypeLabels,
  },
  {
    key: 'netType',
    title: '通讯方式',
    className: 'cell-net',
    phone: 'meta',
    labels: netTypeLabels,
  },
  {
    key: 'authMode',
    title: '认证方式',
    hiddenAtFirst: true,
    labels: authModeLabels,
  },
  {
    key: 'dataProto',
    title: '数据协议',
    hiddenAtFirst: true,
    labels: dataProtoLabels,
  },
  {
    key: 'autoRegister',
    title: '动态注册',
    hiddenAtFirst: true,
    labels: autoRegisterLabels,
  },
  {
    key: 'model',
    title: '物模型',
    onHeaderCell: () => ({ title: t('属性 / 事件 / 行为') }),
    className: 'cell-model',
    phone: 'meta',
    render: (_value, row) => <ModelCounts {...row} />,
    exportText: (row) => `${row.propertyCount}/${row.eventCount}/${row.actionCount}`,
    fields: { propertyCount: '属性', eventCount: '事件', actionCount: '行为' },
  },
  {
    key: 'deviceCount',
    title: '在线 / 设备数',
    className: 'cell-online',
    sorter: true,
    phone: 'meta',
    render: (_value, row) => <OnlineShare {...row} />,
    exportText: (row) => `${row.onlineCount}/${row.deviceCount}`,
    fields: { onlineCount: '在线', deviceCount: '设备数' },
  },
  {
    key: 'tags',
    title: '标签',
    className: 'cell-tags',
    phone: 'meta',
    render: (_value, row) => <TagList tags={row.tags} />,
    exportText: (row) => tagsText(row.tags),
  },
  {
    key: 'createdTime',
    title: '创建时间',
    className: 'cell-time',
    sorter: true,
    render: (_value, row) => <time title={formatTime(row.createdTime)}>{formatTime(row.createdTime, dayFormat)}</time>,
    exportText: (row) => formatTime(row.createdTime),
  },
]
