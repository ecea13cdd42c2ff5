import { ApiOutlined, ClusterOutlined, HddOutlined } from '@ant-design/icons'
import {
  type Device,
  deviceStatus,
  deviceStatusLabels,
  logLevelLabels,
} from '@ithings/contract/features/devices/info.ts'
import { DeviceType, deviceTypeLabels } from '@ithings/contract/features/products/info.ts'
import { Link } from 'react-router'
import { DeviceLink, deviceDetailPath } from '#blocks/device-link.tsx'
import { DeviceStatusTag, DeviceTypeTag } from '#blocks/device-status.tsx'
import { TagList } from '#blocks/tags.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { type OpenAlarms, OpenAlarmsMark } from '../open-alarms.tsx'
import './devices.css'

const glyphs: Readonly<Record<number, typeof HddOutlined>> = {
  [DeviceType.device]: HddOutlined,
  [DeviceType.gateway]: ClusterOutlined,
  [DeviceType.subDevice]: ApiOutlined,
}

function DeviceGlyph({ type }: { type: number }) {
  const Glyph = glyphs[type] ?? HddOutlined
  return (
    <span className="device-glyph inline-row fixed softer" aria-hidden="true">
      <Glyph />
    </span>
  )
}

const disabled = 2
const simulated = 1

const nameCell = (device: Device) => (
  <span className="inline-row shrink gap-8">
    <DeviceGlyph type={device.deviceType} />
    <DeviceLink device={device} />
    {device.isEnable === disabled && <StatusTag filled text="已禁用" tone="default" />}
    {device.isSimulated === simulated && <StatusTag filled text="模拟" tone="default" />}
  </span>
)

/** On a phone people read the alias first (screens.md 5). */
const phoneTitle = (device: Device) => (
  <Link to={deviceDetailPath(device)}>{device.deviceAlias || device.deviceName}</Link>
)

const productPath = (productID: string) => `/deviceMangers/product/detail/${encodeURIComponent(productID)}`

/** @param phone cards instead of rows: the alias is the title there */
export const deviceColumns = (phone: boolean, alarms: OpenAlarms): ListColumn<Device>[] => [
  {
    key: 'deviceName',
    title: '设备名称',
    hideable: false,
    sorter: true,
    phone: phone ? 'subtitle' : 'title',
    render: (_value, device) => (phone ? <span className="mono">{device.deviceName}</span> : nameCell(device)),
  },
  {
    key: 'deviceAlias',
    title: '设备别名',
    dataIndex: 'deviceAlias',
    sorter: true,
    truncate: 200,
    phone: phone ? 'title' : 'hide',
    ...(phone && { render: (_value: unknown, device: Device) => phoneTitle(device) }),
  },
  {
    key: 'productID',
    title: '所属产品',
    dataIndex: 'productName',
    sorter: true,
    truncate: 200,
    phone: 'meta',
    render: (_value, device) => (
      <Link className="device-product" to={productPath(device.productID)}>
        {device.productName || device.productID}
      </Link>
    ),
  },
  {
    key: 'deviceType',
    title: '设备类型',
    phone: 'hide',
    render: (_value, device) => <DeviceTypeTag value={device.deviceType} />,
    exportText: (device) => labelOf(deviceTypeLabels, device.deviceType),
  },
  {
    key: 'isOnline',
    title: '在线状态',
    sorter: true,
    phone: 'status',
    render: (_value, device) => (
      <span className="inline-row shrink gap-8">
        <DeviceStatusTag device={device} />
        <OpenAlarmsMark device={device} alarms={alarms} />
      </span>
    ),
    exportText: (device) => labelOf(deviceStatusLabels, deviceStatus(device)),
  },
  {
    key: 'lastLogin',
    title: '最后上线',
    sorter: true,
    phone: 'meta',
    render: (_value, device) => <TimeText value={device.lastLogin} />,
  },
  {
    key: 'version',
    title: '固件版本',
    sorter: true,
    phone: 'hide',
    render: (_value, { version }) =>
      version ? <span className="mono">{version}</span> : <span className="no-value">—</span>,
  },
  { key: 'tags', title: '标签', phone: 'hide', render: (_value, device) => <TagList tags={device.tags} max={1} /> },
  {
    key: 'logLevel',
    title: '日志级别',
    sorter: true,
    hiddenAtFirst: true,
    phone: 'hide',
    render: (_value, device) => labelOf(logLevelLabels, device.logLevel),
  },
  {
    key: 'firstLogin',
    title: '激活时间',
    sorter: true,
    hiddenAtFirst: true,
    phone: 'hide',
    render: (_value, device) => <TimeText value={device.firstLogin} mode="exact" />,
  },
  {
    key: 'createdTime',
    title: '创建时间',
    sorter: true,
    hiddenAtFirst: true,
    phone: 'hide',
    render: (_value, device) => <TimeText value={device.createdTime} mode="exact" />,
  },
]
