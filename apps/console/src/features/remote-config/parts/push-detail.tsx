import {
  type ConfigPush,
  type ConfigPushDevice,
  cancelConfigPush,
  PushState,
  pushStateLabels,
} from '@ithings/contract/features/remote-config.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { useLivePolling } from '#api/live.ts'
import { deviceColumn, none, stateColumn, textColumn, timeColumn } from '#blocks/rollout/columns.tsx'
import { optionsOf, stateCounters } from '#blocks/rollout/words.ts'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { ActButton } from '#kit/rights.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { pushStateLooks, pushStatusLooks } from '../labels.ts'
import { pushDevicesQuery, pushQuery } from '../queries.ts'
import { isOpen, PushProgress, useCancelPush } from './pushes-tab.tsx'
import './pushes.css'

const fields: FilterField[] = [
  { name: 'deviceName', label: '设备名称', control: 'text' },
  { name: 'state', label: '状态', control: 'select', options: optionsOf(pushStateLabels) },
]

interface Filters {
  deviceName?: string
  state?: PushState
}

const columnsOf = (productID: string): ListColumn<ConfigPushDevice>[] => [
  deviceColumn(productID),
  stateColumn(pushStateLooks, ({ state }) => state, { key: 'state', width: 112 }),
  {
    key: 'msg',
    title: t('说明'),
    dataIndex: 'msg',
    truncate: 240,
    phone: 'subtitle',
    render: (_value, { msg }) => msg || none,
  },
  textColumn('configID', t('设备上的版本'), ({ configID }) => configID, {
    width: 120,
    align: 'right',
    render: (_value, { configID }) => configID || none,
  }),
  timeColumn('doneTime', t('送达时间'), { mode: 'exact', width: 184, phone: 'meta' }),
]

function Detail({ push, productID }: { push: ConfigPush; productID: string }) {
  const refetchInterval = useLivePolling()
  const { runID } = push
  const counters = stateCounters({
    looks: pushStateLooks,
    field: 'state',
    total: push.total,
    counts: [
      [PushState.delivered, push.delivered],
      [PushState.pending, push.pending],
      [PushState.failed, push.failed],
      [PushState.cancelled, push.cancelled],
    ],
  })
  return (
    <div className="column gap-16">
      <div className="gap-8-12 row wrap">
        <StatusTag filled looks={pushStatusLooks} value={push.status} />
        <span>
          {t('版本 {id} · {scope} · {count, number} 台/分钟', {
            id: push.configID,
            scope: push.scope,
            count: push.rate,
          })}
        </span>
        <span className="meta">
          {push.userName} <TimeText value={push.startedTime} />
          {push.reason && ` · ${push.reason}`}
        </span>
      </div>
      <PushProgress push={push} thick />
      <ListPage<ConfigPushDevice, Filters>
        embedded
        title={t('下发明细')}
        urlPrefix="r."
        counters={counters}
        filters={fields}
        columns={columnsOf(productID)}
        rowKey="deviceName"
        storageKey="config-push-devices"
        exportName={t('远程配置下发-{runID}', { runID })}
        query={({ page, filters }) => ({ ...pushDevicesQuery({ runID, ...filters, page }), refetchInterval })}
        empty={{ title: t('没有设备'), text: t('下发时产品里没有符合条件的设备。') }}
      />
    </div>
  )
}

interface PushDetailProps {
  productID: string
  /** '': none is open. */
  runID: string
  onClose: () => void
}

/** One push: how far it is, and each device with what became of it. */
export function PushDetail({ productID, runID, onClose }: PushDetailProps) {
  const refetchInterval = useLivePolling()
  const cancel = useCancelPush()
  const query = useQuery({ ...pushQuery(productID, runID), enabled: runID !== '', refetchInterval })
  const push = query.data
  return (
    <SideDrawer
      title={t('下发 {runID}', { runID })}
      open={runID !== ''}
      onClose={onClose}
      width={960}
      extra={
        push &&
        isOpen(push) && (
          <ActButton needs={cancelConfigPush} danger onClick={() => cancel(push)}>
            {t('取消下发')}
          </ActButton>
        )
      }
    >
      {runID !== '' && (
        <Loaded query={query} subject={t('下发记录', { context: 'config' })}>
          {(found) =>
            found ? (
              <Detail push={found} productID={productID} />
            ) : (
              <StateBlock variant="no-match" title={t('没有这次下发')} text={t('它可能属于另一个产品。')} />
            )
          }
        </Loaded>
      )}
    </SideDrawer>
  )
}
