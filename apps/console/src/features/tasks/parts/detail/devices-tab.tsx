import type { TaskDevice } from '@ithings/contract/features/task-results.ts'
import { cancelTask, type DeployStatus, nextDeployStatus, retryTask } from '@ithings/contract/features/tasks.ts'
import { App, Button, Modal } from 'antd'
import { useMemo, useState } from 'react'
import { useLivePolling } from '#api/live.ts'
import { useConfirm } from '#kit/confirm.tsx'
import { JsonView } from '#kit/json-view.tsx'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { May } from '#kit/rights.tsx'
import { taskDevicesQuery, useTaskWork } from '../../queries.ts'
import { cancelText } from '../../task-words.ts'
import { devicesPrefix } from './detail-url.ts'
import { taskDeviceColumns, taskDeviceFields } from './device-columns.tsx'

interface Filters {
  deviceName?: string
  status?: DeployStatus
  reason?: string
}

interface DevicesTabProps {
  taskID: number
  runID: string
  productID: string
}

const canRetry = ({ status }: TaskDevice) => nextDeployStatus(status as DeployStatus, 'retry') !== undefined
const canCancel = ({ status }: TaskDevice) => nextDeployStatus(status as DeployStatus, 'cancel') !== undefined
const namesOf = (rows: readonly TaskDevice[]) => rows.map(({ deviceName }) => deviceName)

/** screens.md 7.2 设备明细. */
export function DevicesTab({ taskID, runID, productID }: DevicesTabProps) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const work = useTaskWork()
  const refetchInterval = useLivePolling()
  const [shown, setShown] = useState<TaskDevice>()
  const [replyOpen, setReplyOpen] = useState(false)
  const columns = useMemo(() => taskDeviceColumns(productID), [productID])

  const retry = async (rows: readonly TaskDevice[]) => {
    const { done } = await work.retry({ taskID, runID, deviceNames: namesOf(rows) })
    void message.success(`已重新下发 ${done.toLocaleString()} 台`)
  }
  const askRetry = (rows: readonly TaskDevice[], clear?: () => void) =>
    confirm({
      title:
        rows.length === 1
          ? `重试设备「${rows[0]?.deviceName ?? ''}」？`
          : `重试 ${rows.length.toLocaleString()} 台设备？`,
      content: '会按任务内容重新下发，尝试次数继续累计。',
      okText: '重试',
      onOk: async () => {
        await retry(rows)
        clear?.()
      },
    })
  const askCancel = (rows: readonly TaskDevice[], clear?: () => void) =>
    confirm({
      title:
        rows.length === 1
          ? `取消设备「${rows[0]?.deviceName ?? ''}」？`
          : `取消 ${rows.length.toLocaleString()} 台设备？`,
      content: cancelText,
      danger: true,
      okText: '取消下发',
      onOk: async () => {
        const { done } = await work.cancel({ taskID, runID, deviceNames: namesOf(rows) })
        void message.success(`已取消 ${done.toLocaleString()} 台`)
        clear?.()
      },
    })
  const actionsOf = (row: TaskDevice): RowAction[] => [
    ...(row.reply === ''
      ? []
      : [
          {
            key: 'reply',
            label: '查看回复',
            onClick: () => {
              setShown(row)
              setReplyOpen(true)
            },
          },
        ]),
    ...(canCancel(row) ? [{ key: 'cancel', label: '取消', needs: cancelTask, onClick: () => askCancel([row]) }] : []),
    ...(canRetry(row) ? [{ key: 'retry', label: '重试', needs: retryTask, onClick: () => askRetry([row]) }] : []),
  ]
  return (
    <>
      <ListPage<TaskDevice, Filters>
        embedded
        title="设备明细"
        urlPrefix={devicesPrefix}
        filters={taskDeviceFields}
        columns={columns}
        rowKey="deviceName"
        storageKey="task-devices"
        query={({ page, filters }) => ({ ...taskDevicesQuery({ taskID, runID, ...filters, page }), refetchInterval })}
        rowActions={actionsOf}
        selection={{
          unit: '台',
          needs: [retryTask, cancelTask],
          actions: (rows, clear) => (
            <>
              <May needs={retryTask}>
                <Button
                  type="text"
                  disabled={!rows.some(canRetry)}
                  onClick={() => askRetry(rows.filter(canRetry), clear)}
                >
                  重试选中
                </Button>
              </May>
              <May needs={cancelTask}>
                <Button
                  type="text"
                  disabled={!rows.some(canCancel)}
                  onClick={() => askCancel(rows.filter(canCancel), clear)}
                >
                  取消选中
                </Button>
              </May>
            </>
          ),
        }}
        empty={{ title: '还没有设备', text: '任务执行时按范围计算设备，之后每台设备的结果列在这里。' }}
      />
      <Modal
        title={`设备回复 · ${shown?.deviceName ?? ''}`}
        open={replyOpen}
        onCancel={() => setReplyOpen(false)}
        footer={null}
        width={640}
      >
        {shown && <JsonView value={shown.reply} fileName={`${shown.deviceName}-回复.json`} />}
      </Modal>
    </>
  )
}
