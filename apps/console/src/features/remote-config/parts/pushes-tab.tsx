import {
  type ConfigPush,
  cancelConfigPush,
  PushStatus,
  pushStatusLabels,
} from '@ithings/contract/features/remote-config.ts'
import { App, Button, Tooltip } from 'antd'
import { useLivePolling } from '#api/live.ts'
import { useConfirm } from '#kit/confirm.tsx'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { optionsOf, pushStatusLooks } from '../labels.ts'
import { pushesQuery, useConfigWork } from '../queries.ts'
import { PushProgress } from './push-progress.tsx'

interface PushesTabProps {
  productID: string
  onOpen: (runID: string) => void
  /** Undefined: there is nothing to send yet. */
  onPush: (() => void) | undefined
}

const fields: FilterField[] = [
  { name: 'status', label: '状态', control: 'select', options: optionsOf(pushStatusLabels) },
  { name: 'configID', label: '版本编号', control: 'text' },
]

interface Filters {
  status?: PushStatus
  configID?: string
}

const columns: ListColumn<ConfigPush>[] = [
  { key: 'runID', title: '编号', dataIndex: 'runID', width: 80, sorter: true, hideable: false, phone: 'title' },
  { key: 'configID', title: '版本', dataIndex: 'configID', width: 80, sorter: true, phone: 'meta' },
  { key: 'scope', title: '范围', dataIndex: 'scope', truncate: 240, phone: 'subtitle' },
  {
    key: 'status',
    title: '状态',
    width: 136,
    phone: 'status',
    render: (_value, { status, reason }) => (
      <Tooltip title={reason}>
        <span>
          <StatusTag looks={pushStatusLooks} value={status} />
        </span>
      </Tooltip>
    ),
  },
  {
    key: 'progress',
    title: '已送达',
    width: 176,
    phone: 'meta',
    render: (_value, push) => <PushProgress push={push} />,
  },
  {
    key: 'pending',
    title: '等待',
    dataIndex: 'pending',
    width: 80,
    hiddenAtFirst: true,
    align: 'right',
    render: (_value, { pending }) => pending.toLocaleString(),
  },
  {
    key: 'failed',
    title: '失败',
    dataIndex: 'failed',
    width: 64,
    align: 'right',
    render: (_value, { failed }) => (failed > 0 ? <span className="tone-error">{failed.toLocaleString()}</span> : '0'),
  },
  { key: 'userName', title: '操作人', dataIndex: 'userName', width: 128, hiddenAtFirst: true },
  {
    key: 'startedTime',
    title: '下发时间',
    width: 112,
    sorter: true,
    phone: 'meta',
    render: (_value, { startedTime }) => <TimeText value={startedTime} />,
  },
]

export const isOpen = ({ status }: Pick<ConfigPush, 'status'>): boolean =>
  status === PushStatus.running || status === PushStatus.waiting

/** Asks, then ends a push; what was delivered stays delivered. */
export function useCancelPush(productID: string) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const work = useConfigWork(productID)
  return ({ runID, pending, delivered }: ConfigPush) =>
    confirm({
      title: `取消下发 ${runID}？`,
      content: `还在等待的 ${pending.toLocaleString()} 台设备不再下发；已送达的 ${delivered.toLocaleString()} 台不受影响。设备主动请求时仍会得到最新版本。`,
      okText: '取消下发',
      danger: true,
      onOk: async () => {
        await work.cancel(runID)
        void message.success(`已取消下发 ${runID}`)
      },
    })
}

export function PushesTab({ productID, onOpen, onPush }: PushesTabProps) {
  const refetchInterval = useLivePolling()
  const cancel = useCancelPush(productID)
  return (
    <ListPage<ConfigPush, Filters>
      embedded
      title="下发记录"
      urlPrefix="p."
      filters={fields}
      columns={columns}
      rowKey="runID"
      storageKey="config-pushes"
      query={({ page, filters: { status, configID } }) => ({
        ...pushesQuery({
          productID,
          page,
          ...(status && { status }),
          // A text that is no number asks for a version that cannot be.
          ...(configID && { configID: /^[1-9]\d{0,8}$/.test(configID) ? configID : 999_999_999 }),
        }),
        refetchInterval,
      })}
      rowActions={(push) => [
        { key: 'open', label: '查看', onClick: () => onOpen(push.runID) },
        {
          key: 'cancel',
          label: '取消',
          needs: cancelConfigPush,
          danger: true,
          disabled: !isOpen(push),
          ...(!isOpen(push) && { hint: '已经结束' }),
          onClick: () => cancel(push),
        },
      ]}
      empty={{
        title: '还没有下发',
        text: '保存只留下版本，下发后设备才会收到；设备也可以随时主动请求最新版本。',
        ...(onPush && { action: <Button onClick={onPush}>下发配置</Button> }),
      }}
    />
  )
}
