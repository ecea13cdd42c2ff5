import { deviceStatus, deviceStatusLabels } from '@ithings/contract/features/devices/info.ts'
import { type ConfigDevice, type ConfigHeld, configHeldLabels } from '@ithings/contract/features/remote-config.ts'
import { useLivePolling } from '#api/live.ts'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { heldLooks, optionsOf } from '../labels.ts'
import { configDevicesQuery } from '../queries.ts'
import { deviceColumn, momentText, momentWords, versionText } from './device-cells.tsx'

const fields: FilterField[] = [
  { name: 'deviceName', label: '设备名称', control: 'text' },
  { name: 'held', label: '配置', control: 'select', options: optionsOf(configHeldLabels) },
]

interface Filters {
  deviceName?: string
  held?: ConfigHeld
}

const columnsOf = (productID: string): ListColumn<ConfigDevice>[] => [
  deviceColumn(productID),
  {
    key: 'isOnline',
    title: '设备状态',
    width: 104,
    phone: 'meta',
    render: (_value, device) => <DeviceStatusTag device={device} />,
    exportText: (device) => deviceStatusLabels[deviceStatus(device)],
  },
  {
    key: 'held',
    title: '配置',
    width: 120,
    phone: 'status',
    render: (_value, { held }) => <StatusTag looks={heldLooks} value={held} />,
    exportText: ({ held }) => labelOf(configHeldLabels, held),
  },
  {
    key: 'configID',
    title: '版本',
    width: 96,
    sorter: true,
    align: 'right',
    phone: 'meta',
    render: (_value, { configID }) => versionText(configID),
  },
  {
    key: 'deliveredTime',
    title: '最近送达',
    width: 184,
    sorter: true,
    phone: 'meta',
    render: (_value, { deliveredTime }) => momentText(deliveredTime),
    exportText: ({ deliveredTime }) => momentWords(deliveredTime),
  },
]

/** screens.md 20 "Device view": which version each device got last, by a push or by asking. */
export function DevicesTab({ productID }: { productID: string }) {
  const refetchInterval = useLivePolling()
  return (
    <ListPage<ConfigDevice, Filters>
      embedded
      title="设备的配置版本"
      urlPrefix="d."
      filters={fields}
      columns={columnsOf(productID)}
      rowKey="deviceName"
      storageKey="config-devices"
      exportName={`设备配置版本-${productID}`}
      query={({ page, filters }) => ({ ...configDevicesQuery({ productID, ...filters, page }), refetchInterval })}
      empty={{ title: '产品里还没有设备' }}
    />
  )
}
