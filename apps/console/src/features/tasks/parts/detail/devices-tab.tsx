import type { TaskDevice } from '@ithings/contract/features/task-results.ts'
import {
  cancelTask,
  type DeployStatus,
  deployStatusLabels,
  nextDeployStatus,
  retryTask,
} from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { Modal } from 'antd'
import { useState } from 'react'
import { useLivePolling } from '#api/live.ts'
import { deviceColumn, none, presenceColumn, stateColumn, textColumn, timeColumn } from '#blocks/rollout/columns.tsx'
import { type DeviceAct, deviceActs, whom } from '#blocks/rollout/device-acts.tsx'
import { useActs } from '#blocks/rollout/use-acts.ts'
import { selectField } from '#blocks/rollout/words.ts'
import { Copyable } from '#kit/copyable.tsx'
import { JsonView } from '#kit/json-view.tsx'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { useMemo } from '#language/use-memo.ts'
import { deployLooks } from '../../labels.ts'
import { taskDevicesQuery, useTaskSend } from '../../queries.ts'
import { cancelText, retriedText, tookText } from '../../task-words.ts'
import { devicesPrefix } from './detail-url.ts'

interface Filters {
  deviceName?: string
  status?: DeployStatus
  reason?: string
}

const fields: FilterField[] = [
  { name: 'deviceName', label: '设备名称', control: 'text', placeholder: '输入名称', width: 140 },
  selectField('status', '状态', deployStatusLabels),
  { name: 'reason', label: '结果说明', control: 'text', placeholder: '如：超时、离线', width: 140 },
]

const success = 200

/** screens.md 7.2. */
const columnsOf = (productID: string): ListColumn<TaskDevice>[] => [
  deviceColumn(productID, t('设备名称')),
  presenceColumn(t('在线状态')),
  stateColumn(deployLooks, ({ status }) => status),
  {
    key: 'code',
    title: t('结果码'),
    dataIndex: 'code',
    phone: 'hide',
    render: (_value, { code }) =>
      code === 0 ? none : <StatusTag filled text={String(code)} tone={code === success ? 'success' : 'error'} />,
  },
  { key: 'msg', title: t('结果说明'), dataIndex: 'msg', truncate: 220, phone: 'subtitle' },
  textColumn('attempts', t('尝试次数'), ({ attempts }) => attempts, { sorter: true, align: 'right' }),
  timeColumn('sentTime', t('下发时间'), { mode: 'log' }),
  timeColumn('doneTime', t('完成时间'), { mode: 'log', hiddenAtFirst: true }),
  textColumn('took', t('耗时', { context: 'task' }), ({ sentTime, doneTime }) => tookText(sentTime, doneTime), {
    align: 'right',
    render: (_value, { sentTime, doneTime }) => tookText(sentTime, doneTime) || none,
  }),
  {
    key: 'clientToken',
    title: 'clientToken',
    dataIndex: 'clientToken',
    phone: 'hide',
    hiddenAtFirst: true,
    render: (_value, { clientToken }) => (clientToken ? <Copyable text={clientToken} maxWidth={160} /> : none),
  },
]

const moves = (event: 'retry' | 'cancel') => (row: TaskDevice) =>
  nextDeployStatus(row.status as DeployStatus, event) !== undefined
const namesOf = (rows: readonly TaskDevice[]) => rows.map(({ deviceName }) => deviceName)

function useTaskDeviceActs(run: { taskID: number; runID: string }): DeviceAct<TaskDevice>[] {
  const { ask } = useActs()
  const send = useTaskSend()
  const sent = async (endpoint: typeof retryTask | typeof cancelTask, names: string[], clear?: () => void) => {
    const result = await send(endpoint, { ...run, deviceNames: names })
    clear?.()
    return result
  }
  return [
    {
      key: 'retry',
      needs: retryTask,
      ofMany: retryTask,
      fits: moves('retry'),
      run: (rows, clear) =>
        ask({
          title: t('重试{devices}？', { devices: whom(namesOf(rows)) }),
          content: t('会按任务内容重新下发，尝试次数继续累计。'),
          okText: t('重试'),
          work: () => sent(retryTask, namesOf(rows), clear),
          done: retriedText,
        }),
    },
    {
      key: 'cancel',
      needs: cancelTask,
      ofMany: cancelTask,
      fits: moves('cancel'),
      run: (rows, clear) =>
        ask({
          title: t('取消{devices}？', { devices: whom(namesOf(rows)) }),
          content: t(cancelText),
          danger: true,
          okText: t('取消下发'),
          work: () => sent(cancelTask, namesOf(rows), clear),
          done: ({ done }) => t('已取消 {count, number} 台', { count: done }),
        }),
    },
  ]
}

/** screens.md 7.2 设备明细. */
export function DevicesTab({ taskID, runID, productID }: { taskID: number; runID: string; productID: string }) {
  const refetchInterval = useLivePolling()
  const [reply, setReply] = useState<{ of: TaskDevice; open: boolean }>()
  const columns = useMemo(() => columnsOf(productID), [productID])
  const acts = useTaskDeviceActs({ taskID, runID })
  return (
    <>
      <ListPage<TaskDevice, Filters>
        embedded
        title={t('设备明细')}
        urlPrefix={devicesPrefix}
        filters={fields}
        columns={columns}
        rowKey="deviceName"
        storageKey="task-devices"
        query={({ page, filters }) => ({ ...taskDevicesQuery({ taskID, runID, ...filters, page }), refetchInterval })}
        {...deviceActs(acts, (row) => ({
          before:
            row.reply === ''
              ? []
              : [{ key: 'reply', label: t('查看回复'), onClick: () => setReply({ of: row, open: true }) }],
        }))}
        empty={{ title: t('还没有设备'), text: t('任务执行时按范围计算设备，之后每台设备的结果列在这里。') }}
      />
      {reply && (
        <Modal
          title={t('设备回复 · {device}', { device: reply.of.deviceName })}
          open={reply.open}
          onCancel={() => setReply({ ...reply, open: false })}
          footer={null}
          width={640}
        >
          <JsonView value={reply.of.reply} fileName={t('{device}-回复.json', { device: reply.of.deviceName })} />
        </Modal>
      )}
    </>
  )
}
