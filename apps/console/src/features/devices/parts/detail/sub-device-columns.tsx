import type { Device } from '@ithings/contract/features/devices/info.ts'
import { Link } from 'react-router'
import { DeviceLink, deviceDetailPath } from '#blocks/device-link.tsx'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import { Copyable } from '#kit/copyable.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { TimeText } from '#kit/time-text.tsx'
import { productDetailPath } from './paths.ts'

/** @param phone cards: people read the alias first */
export const subDeviceColumns = (phone: boolean): ListColumn<Device>[] => [
  {
    key: 'deviceName',
    title: '子设备',
    hideable: false,
    sorter: true,
    phone: phone ? 'subtitle' : 'title',
    render: (_value, device) =>
      phone ? <span className="mono">{device.deviceName}</span> : <DeviceLink device={device} />,
  },
  {
    key: 'deviceAlias',
    title: '设备别名',
    dataIndex: 'deviceAlias',
    truncate: 200,
    phone: phone ? 'title' : 'hide',
    ...(phone && {
      render: (_value: unknown, device: Device) => (
        <Link to={deviceDetailPath(device)}>{device.deviceAlias || device.deviceName}</Link>
      ),
    }),
  },
  {
    key: 'productName',
    title: '所属产品',
    phone: 'meta',
    render: (_value, device) => (
      <Link to={productDetailPath(device.productID)}>{device.productName || device.productID}</Link>
    ),
  },
  {
    key: 'productID',
    title: '产品 ID',
    sorter: true,
    hiddenAtFirst: true,
    phone: 'hide',
    render: (_value, device) => <Copyable text={device.productID} />,
  },
  {
    key: 'isOnline',
    title: '在线状态',
    sorter: true,
    phone: 'status',
    render: (_value, device) => <DeviceStatusTag device={device} />,
  },
  {
    key: 'createdTime',
    title: '创建时间',
    sorter: true,
    phone: 'hide',
    render: (_value, device) => <TimeText value={device.createdTime} mode="exact" />,
  },
  {
    key: 'firstLogin',
    title: '激活时间',
    sorter: true,
    phone: 'hide',
    render: (_value, device) => <TimeText value={device.firstLogin} mode="exact" />,
  },
  {
    key: 'lastLogin',
    title: '最后上线',
    sorter: true,
    phone: 'meta',
    render: (_value, device) => <TimeText value={device.lastLogin} />,
  },
]
