import { type ConfigDevice, type ConfigHeld, configHeldLabels } from '@ithings/contract/features/remote-config.ts'
import { t } from '@ithings/contract/text.ts'
import { useLivePolling } from '#api/live.ts'
import { deviceColumn, none, presenceColumn, stateColumn, textColumn, timeColumn } from '#blocks/rollout/columns.tsx'
import { optionsOf } from '#blocks/rollout/words.ts'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { heldLooks } from '../labels.ts'
import { configDevicesQuery } from '../queries.ts'

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
  presenceColumn(t('设备状态'), { width: 104 }),
  stateColumn(heldLooks, ({ held }) => held, { key: 'held', title: t('配置'), width: 120, sorter: false }),
  textColumn('configID', t('版本'), ({ configID }) => configID, {
    width: 96,
    sorter: true,
    align: 'right',
    render: (_value, { configID }) => configID || none,
  }),
  timeColumn('deliveredTime', t('最近送达'), { mode: 'exact', width: 184, phone: 'meta' }),
]

/** screens.md 20 "Device view": which version each device got last, by a push or by asking. */
export function DevicesTab({ productID }: { productID: string }) {
  const refetchInterval = useLivePolling()
  return (
    <ListPage<ConfigDevice, Filters>
      embedded
      title={t('设备的配置版本')}
      urlPrefix="d."
      filters={fields}
      columns={columnsOf(productID)}
      rowKey="deviceName"
      storageKey="config-devices"
      exportName={t('设备配置版本-{productID}', { productID })}
      query={({ page, filters }) => ({ ...configDevicesQuery({ productID, ...filters, page }), refetchInterval })}
      empty={{ title: t('产品里还没有设备') }}
    />
  )
}
