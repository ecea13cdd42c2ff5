import { SearchOutlined } from '@ant-design/icons'
import { cancelOtaDevices, type OtaDevice, retryOtaDevices } from '@ithings/contract/features/ota/device.ts'
import { OtaStatus, otaStatusLabels, type OtaStatus as Status } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { Button, Input, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import { useConfirm } from '#kit/confirm.tsx'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { May, useMay } from '#kit/rights.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { type Counts, countOf, totalOf } from '../../progress.ts'
import { taskDevicesQuery } from '../../task-queries.ts'
import { retriedNote, retryText } from '../task/task-words.ts'
import { flashNote, useTaskActions } from '../task/use-task-actions.tsx'
import { type DetailFilter, stageShown, tablePrefix } from './detail-filter.ts'
import { canCancel, canRetry, deviceActions, deviceColumns } from './device-columns.tsx'
import './devices.css'

interface DeviceTableProps {
  task: OtaTask
  filter: DetailFilter
  onFilter: (patch: Partial<DetailFilter>) => void
  refetchInterval: number | false
}

const order = [
  OtaStatus.updating,
  OtaStatus.failed,
  OtaStatus.pushed,
  OtaStatus.success,
  OtaStatus.waiting,
  OtaStatus.higher,
  OtaStatus.cancelled,
] as const satisfies readonly Status[]

const all = 0

interface StatusSwitchProps extends Pick<DeviceTableProps, 'filter' | 'onFilter'> {
  counts: Counts
}

function StatusSwitch({ counts, filter, onFilter }: StatusSwitchProps) {
  const figure = (label: string, count: number) => `${label} ${count.toLocaleString()}`
  const shown = order.filter((status) => countOf(counts, status) > 0 || filter.status === status)
  return (
    <Segmented<number>
      className="status-switch"
      aria-label="状态"
      value={filter.status ?? all}
      options={[
        { value: all, label: figure('全部', totalOf(counts)) },
        ...shown.map((status) => ({
          value: status,
          label: figure(otaStatusLabels[status], countOf(counts, status)),
        })),
      ]}
      onChange={(status) => onFilter({ status: shown.find((one) => one === status), reason: '' })}
    />
  )
}

const several = (count: number) => ` ${count.toLocaleString()} 台设备`

/** One, many and all: what can be tried again and what can be taken back. */
function useDeviceWork(task: OtaTask) {
  const confirm = useConfirm()
  const navigate = useNavigate()
  const { work, tellMany, orTell } = useTaskActions()
  const askCancel = (whom: string, run: () => Promise<unknown>) =>
    confirm({
      title: `取消${whom}的升级？`,
      content: `没有推送的不再推送，已推送的记为已取消。${flashNote}`,
      danger: true,
      okText: '确认取消升级',
      onOk: run,
    })
  const { taskUid } = task
  const cancelRows = async (choice: { ids?: number[]; status?: Status }) =>
    tellMany('取消', await work.cancelMany({ taskUid, ...choice }))
  const retryRows = async (choice: { ids?: number[]; status?: Status }) =>
    tellMany('重试', await work.retryMany({ taskUid, ...choice }), retriedNote(task))
  return {
    row: {
      retry: (row: OtaDevice) => void orTell('重试', work.retryOne(row.id), retriedNote(task)),
      cancel: (row: OtaDevice) =>
        askCancel(`设备「${row.deviceAlias || row.deviceName}」`, () => work.cancelOne(row.id)),
      log: ({ deviceName }: OtaDevice) => void navigate(deviceDetailPath({ productID: task.productID, deviceName }, 3)),
    },
    retryRows: (rows: readonly OtaDevice[]) => retryRows({ ids: rows.map(({ id }) => id) }),
    cancelRows: (rows: readonly OtaDevice[], then: () => void) =>
      askCancel(several(rows.length), async () => {
        await cancelRows({ ids: rows.map(({ id }) => id) })
        then()
      }),
    retryAll: (status: Status) =>
      confirm({
        title: `重试 ${countOf(task.counts, status).toLocaleString()} 台「${otaStatusLabels[status]}」的设备？`,
        content: retryText(task),
        okText: '重试',
        onOk: () => retryRows({ status }),
      }),
    cancelAll: (status: Status) => askCancel(several(countOf(task.counts, status)), () => cancelRows({ status })),
  }
}

function AllButton({ task, status, work }: { task: OtaTask; status: Status; work: ReturnType<typeof useDeviceWork> }) {
  const may = useMay()
  const count = countOf(task.counts, status)
  if (count === 0) return null
  if (canRetry({ status }) && may(retryOtaDevices))
    return <Button onClick={() => work.retryAll(status)}>全部重试</Button>
  if (canCancel({ status }) && may(cancelOtaDevices))
    return <Button onClick={() => work.cancelAll(status)}>全部取消</Button>
  return null
}

/** Every device of the task, as it goes on. */
export function DeviceTable({ task, filter, onFilter, refetchInterval }: DeviceTableProps) {
  const phone = usePhone()
  const work = useDeviceWork(task)
  const [typed, setTyped] = useState(filter.name)
  // Counted anew with every answer about the task: probation runs off in minutes, not in frames.
  const columns = useMemo(() => deviceColumns(task.productID, task.stages, Date.now()), [task.productID, task.stages])
  const { taskUid } = task
  const stage = stageShown(task, filter)
  const counts = (stage !== undefined && task.stages[stage]?.counts) || task.counts
  const filtered = filter.status !== undefined || filter.name !== '' || filter.reason !== ''
  return (
    <>
      <StatusSwitch counts={counts} filter={filter} onFilter={onFilter} />
      <ListPage<OtaDevice>
        embedded
        title="升级设备"
        columns={columns}
        rowKey={({ id }) => String(id)}
        storageKey="ota-devices"
        urlPrefix={tablePrefix}
        // What moves now comes first; who waits or is done is one click away.
        defaultSort="updatedTime.2"
        query={({ page }) => ({
          ...taskDevicesQuery({
            taskUid,
            page,
            deviceName: filter.name,
            reason: filter.reason,
            ...(filter.status && { status: filter.status }),
            ...(stage !== undefined && { stage }),
          }),
          refetchInterval,
        })}
        rowActions={(row) => deviceActions(row, work.row)}
        selection={{
          unit: '台',
          needs: [retryOtaDevices, cancelOtaDevices],
          actions: (rows, clear) => {
            const again = rows.filter(canRetry)
            const back = rows.filter(canCancel)
            return (
              <>
                <May needs={retryOtaDevices}>
                  <Button
                    type="text"
                    disabled={again.length === 0}
                    onClick={() => void work.retryRows(again).then(clear)}
                  >
                    重试选中 {again.length > 0 && again.length}
                  </Button>
                </May>
                <May needs={cancelOtaDevices}>
                  <Button type="text" disabled={back.length === 0} onClick={() => work.cancelRows(back, clear)}>
                    取消选中 {back.length > 0 && back.length}
                  </Button>
                </May>
              </>
            )
          },
        }}
        toolbar={
          <span className="inline-row gap-8">
            <Input
              className={phone ? '' : 'device-search'}
              prefix={<SearchOutlined />}
              aria-label="设备名称"
              placeholder="设备名称"
              allowClear
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onPressEnter={() => onFilter({ name: typed.trim() })}
              onClear={() => onFilter({ name: '' })}
            />
            {/* It means all of the status, so a narrower filter takes it away. */}
            {stage === undefined && filter.status !== undefined && filter.name === '' && filter.reason === '' && (
              <AllButton task={task} status={filter.status} work={work} />
            )}
          </span>
        }
        empty={
          filtered
            ? {
                title: '没有符合条件的设备',
                action: (
                  <Button
                    onClick={() => {
                      setTyped('')
                      onFilter({ status: undefined, name: '', reason: '' })
                    }}
                  >
                    清空筛选
                  </Button>
                ),
              }
            : { title: '还没有设备', text: '任务正在准备设备，或还没有设备符合条件。' }
        }
      />
    </>
  )
}
