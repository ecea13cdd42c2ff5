import {
  type ConfigPush,
  type ConfigPushDevice,
  cancelConfigPush,
  PushState,
  pushStateLabels,
} from '@ithings/contract/features/remote-config.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Skeleton } from 'antd'
import { useLivePolling } from '#api/live.ts'
import type { FilterField, ListColumn, ListCounter } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { May } from '#kit/rights.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { optionsOf, pushStateLooks, pushStatusLooks } from '../labels.ts'
import { pushDevicesQuery, pushQuery } from '../queries.ts'
import { deviceColumn, momentText, momentWords, versionText } from './device-cells.tsx'
import { PushProgress } from './push-progress.tsx'
import { isOpen, useCancelPush } from './pushes-tab.tsx'
import './pushes.css'

interface PushDetailProps {
  productID: string
  /** '' while it closes. */
  runID: string
  open: boolean
  onClose: () => void
}

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
  {
    key: 'state',
    title: '状态',
    width: 112,
    sorter: true,
    phone: 'status',
    render: (_value, { state }) => <StatusTag looks={pushStateLooks} value={state} />,
    exportText: ({ state }) => labelOf(pushStateLabels, state),
  },
  {
    key: 'msg',
    title: '说明',
    dataIndex: 'msg',
    truncate: 240,
    phone: 'subtitle',
    render: (_value, { msg }) => msg || <span className="no-value">—</span>,
  },
  {
    key: 'configID',
    title: '设备上的版本',
    width: 120,
    align: 'right',
    phone: 'meta',
    render: (_value, { configID }) => versionText(configID),
  },
  {
    key: 'doneTime',
    title: '送达时间',
    width: 184,
    sorter: true,
    phone: 'meta',
    render: (_value, { doneTime }) => momentText(doneTime),
    exportText: ({ doneTime }) => momentWords(doneTime),
  },
]

const countersOf = (push: ConfigPush): ListCounter[] => [
  { key: 'all', label: '全部', value: push.total, filter: {} },
  ...(
    [
      [PushState.delivered, push.delivered],
      [PushState.pending, push.pending],
      [PushState.failed, push.failed],
      [PushState.cancelled, push.cancelled],
    ] as const
  ).map(([state, value]) => ({
    key: String(state),
    label: pushStateLabels[state],
    value,
    tone: pushStateLooks[state]?.tone ?? 'default',
    filter: { state: String(state) },
  })),
]

/** One push: how far it is, and each device with what became of it. */
export function PushDetail({ productID, runID, open, onClose }: PushDetailProps) {
  const phone = usePhone()
  const refetchInterval = useLivePolling()
  const cancel = useCancelPush(productID)
  const query = useQuery({ ...pushQuery(productID, runID), enabled: runID !== '', refetchInterval })
  const push = query.data
  const body = () => {
    if (query.isPending) return <Skeleton active paragraph={{ rows: 8 }} title={false} />
    if (query.isError && !push) {
      const retry = () => void query.refetch()
      return <ErrorState subject="下发记录" error={query.error} retrying={query.isFetching} onRetry={retry} />
    }
    if (!push) return <StateBlock variant="no-match" title="没有这次下发" text="它可能属于另一个产品。" />
    return (
      <div className="column gap-16">
        <div className="config-run-head row wrap">
          <StatusTag filled looks={pushStatusLooks} value={push.status} />
          <span>
            版本 {push.configID} · {push.scope} · {push.rate.toLocaleString()} 台/分钟
          </span>
          <span className="meta">
            {push.userName} <TimeText value={push.startedTime} />
            {push.reason && ` · ${push.reason}`}
          </span>
        </div>
        <PushProgress push={push} thick />
        <ListPage<ConfigPushDevice, Filters>
          embedded
          title="下发明细"
          urlPrefix="r."
          counters={countersOf(push)}
          filters={fields}
          columns={columnsOf(productID)}
          rowKey="deviceName"
          storageKey="config-push-devices"
          exportName={`远程配置下发-${runID}`}
          query={({ page, filters }) => ({ ...pushDevicesQuery({ runID, ...filters, page }), refetchInterval })}
          empty={{ title: '没有设备', text: '下发时产品里没有符合条件的设备。' }}
        />
      </div>
    )
  }
  return (
    <Drawer
      title={`下发 ${runID}`}
      open={open}
      onClose={onClose}
      size={phone ? '100%' : 960}
      closable={{ placement: 'end' }}
      extra={
        push &&
        isOpen(push) && (
          <May needs={cancelConfigPush}>
            <Button danger onClick={() => cancel(push)}>
              取消下发
            </Button>
          </May>
        )
      }
      destroyOnHidden
    >
      {runID !== '' && body()}
    </Drawer>
  )
}
