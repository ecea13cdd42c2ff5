import { type Device, deviceStatus, deviceStatusLabels } from '@ithings/contract/features/devices/info.ts'
import { deviceTypeLabels } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { nameColumns, timeColumn } from '#blocks/device/device-columns.tsx'
import { type OpenAlarms, OpenAlarmsMark } from '#blocks/device/open-alarms.tsx'
import { DeviceLink, ProductLink } from '#blocks/device-link.tsx'
import { DeviceStatusTag, DeviceTypeTag, deviceGlyphs, NotUsual } from '#blocks/device-status.tsx'
import { TagList } from '#blocks/tags.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { labelOf } from '#kit/status-tag.tsx'
import './devices.css'
import { logLevelText } from '#blocks/device/labels.ts'

function NameCell({ device }: { device: Device }) {
  const Glyph = deviceGlyphs(device.deviceType)
  return (
    <span className="inline-row shrink gap-8">
      <span className="device-glyph round-6 grey-fill inline-row center fixed softer" aria-hidden="true">
        <Glyph />
      </span>
      <DeviceLink device={device} />
      <NotUsual device={device} />
    </span>
  )
}

/** @param phone cards instead of rows */
export const deviceColumns = (phone: boolean, alarms: OpenAlarms): ListColumn<Device>[] => [
  ...nameColumns({
    title: t('设备名称'),
    phone,
    sortByAlias: true,
    nameCell: (device) => <NameCell device={device} />,
  }),
  {
    key: 'productID',
    title: t('所属产品'),
    dataIndex: 'productName',
    sorter: true,
    truncate: 200,
    phone: 'meta',
    render: (_value, device) => <ProductLink className="device-product" of={device} />,
  },
  {
    key: 'deviceType',
    title: t('设备类型'),
    phone: 'hide',
    render: (_value, device) => <DeviceTypeTag value={device.deviceType} />,
    labels: deviceTypeLabels,
  },
  {
    key: 'isOnline',
    title: t('在线状态'),
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
  timeColumn('lastLogin'),
  {
    key: 'version',
    title: t('固件版本'),
    sorter: true,
    phone: 'hide',
    render: (_value, { version }) =>
      version ? <span className="mono">{version}</span> : <span className="no-value">—</span>,
  },
  { key: 'tags', title: t('标签'), phone: 'hide', render: (_value, device) => <TagList tags={device.tags} max={1} /> },
  {
    key: 'logLevel',
    title: t('日志级别'),
    sorter: true,
    hiddenAtFirst: true,
    phone: 'hide',
    render: (_value, device) => logLevelText(device.logLevel),
  },
  timeColumn('firstLogin', true),
  timeColumn('createdTime', true),
]
