/** The devices of a group, and those that could join it: the same columns and filters. */

import { type Device, deviceStatus, deviceStatusLabels } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { DeviceLink } from '#blocks/device-link.tsx'
import { DeviceStatusTag, deviceStatusOptions } from '#blocks/device-status.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { TagList, tagFilterField } from '#blocks/tags.tsx'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { deviceDetailPath } from '#kit/paths.ts'
import { labelOf } from '#kit/status-tag.tsx'

export interface MemberFilters {
  keyword?: string
  productID?: string
  status?: 1 | 2 | 3
  tags?: string
}

export const memberFields: FilterField[] = [
  { name: 'keyword', label: '设备', control: 'text', placeholder: '设备名称或别名', width: 152 },
  {
    name: 'productID',
    label: '所属产品',
    control: 'custom',
    width: 160,
    render: ({ id, value, onChange }) => (
      <ProductPicker id={id} value={value} onChange={onChange} placeholder={t('全部产品')} />
    ),
  },
  { name: 'status', label: '在线状态', control: 'select', options: deviceStatusOptions, width: 112, advanced: true },
  { ...tagFilterField('设备标签', []), width: 176, advanced: true },
]

export const memberKey = ({ productID, deviceName }: Device): string => `${productID}/${deviceName}`

/** @param phone cards: people read the alias first, as in the device list */
export const memberColumns = (phone: boolean): ListColumn<Device>[] => [
  {
    key: 'deviceName',
    title: t('设备名称'),
    hideable: false,
    sorter: true,
    phone: phone ? 'subtitle' : 'title',
    render: (_value, device) =>
      phone ? <span className="mono">{device.deviceName}</span> : <DeviceLink device={device} />,
    exportText: (device) => device.deviceName,
  },
  {
    key: 'deviceAlias',
    title: t('设备别名'),
    dataIndex: 'deviceAlias',
    sorter: true,
    truncate: 180,
    phone: phone ? 'title' : 'hide',
    ...(phone && {
      render: (_value: unknown, device: Device) => (
        <Link to={deviceDetailPath(device)}>{device.deviceAlias || device.deviceName}</Link>
      ),
    }),
  },
  {
    key: 'productID',
    title: t('所属产品'),
    sorter: true,
    phone: 'meta',
    render: (_value, device) => <span className="softer">{device.productName || device.productID}</span>,
    exportText: (device) => device.productName || device.productID,
  },
  {
    key: 'isOnline',
    title: t('在线状态'),
    sorter: true,
    phone: 'status',
    render: (_value, device) => <DeviceStatusTag device={device} />,
    exportText: (device) => labelOf(deviceStatusLabels, deviceStatus(device)),
  },
  { key: 'lastLogin', title: t('最后上线'), sorter: true, phone: 'meta', time: 'relative' },
  {
    key: 'tags',
    title: t('标签'),
    hiddenAtFirst: true,
    phone: 'hide',
    render: (_value, { tags }) => <TagList tags={tags} />,
    exportText: ({ tags }) => tags.map(({ key, value }) => `${key}:${value}`).join(';'),
  },
  { key: 'firstLogin', title: t('激活时间'), sorter: true, hiddenAtFirst: true, phone: 'hide', time: 'exact' },
]
