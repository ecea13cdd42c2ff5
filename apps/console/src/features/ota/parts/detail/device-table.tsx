import { SearchOutlined } from '@ant-design/icons'
import {
  cancelOtaDevice,
  cancelOtaDevices,
  type OtaDevice,
  retryOtaDevice,
  retryOtaDevices,
} from '@ithings/contract/features/ota/device.ts'
import {
  isOtaOpen,
  OtaStatus,
  otaStatusLabels,
  type OtaStatus as Status,
} from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type DeviceAct, deviceActs, whom } from '#blocks/rollout/device-acts.tsx'
import { useActs } from '#blocks/rollout/use-acts.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { numberText } from '#kit/number-text.ts'
import { deviceDetailPath } from '#kit/paths.ts'
import { useMay } from '#kit/rights.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { useMemo } from '#language/use-memo.ts'
import { type Counts, countOf, totalOf } from '../../progress.ts'
import { taskDevicesQuery, useTaskSend } from '../../task-queries.ts'
import { flashNote, retriedNote, retryText } from '../task/task-words.ts'
import { useManyDevices } from '../task/use-task-actions.tsx'
import { type DetailFilter, stageShown, tablePrefix } from './detail-filter.ts'
import { deviceColumns } from './device-columns.tsx'

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

function StatusSwitch({
  counts,
  filter,
  onFilter,
}: Omit<DeviceTableProps, 'task' | 'refetchInterval'> & { counts: Counts }) {
  const shown = order.filter((status) => countOf(counts, status) > 0 || filter.status === status)
  return (
    <Segmented<number>
      className="below-8 fit"
      style={{ overflowX: 'auto' }}
      aria-label={t('状态')}
      value={filter.status ?? all}
      options={[
        { value: all, label: t('全部 {total, number}', { total: totalOf(counts) }) },
        ...shown.map((status) => ({
          value: status,
          label: `${t(otaStatusLabels[status])} ${numberText(countOf(counts, status))}`,
        })),
      ]}
      onChange={(status) => onFilter({ status: shown.find((one) => one === status), reason: '' })}
    />
  )
}

type Judged = Pick<OtaDevice, 'status'>
const retriable: readonly number[] = [OtaStatus.failed, OtaStatus.higher, OtaStatus.cancelled]
const canRetry = ({ status }: Judged): boolean => retriable.includes(status)
const canCancel = ({ status }: Judged): boolean => isOtaOpen(status as Status)
const idsOf = (rows: readonly OtaDevice[]) => rows.map(({ id }) => id)
const namesOf = (rows: readonly OtaDevice[]) => rows.map(({ deviceAlias, deviceName }) => deviceAlias || deviceName)

/** One, many and all: what can be tried again and what can be taken back. */
function useDeviceWork(task: OtaTask) {
  const { ask, orTell } = useActs()
  const send = useTaskSend()
  const many = useManyDevices()
  const { taskUid } = task
  const note = retriedNote(task)
  const askCancel = (devices: string, work: () => Promise<unknown>) =>
    ask({
      title: t('取消{devices}的升级？', { devices }),
      content: t('没有推送的不再推送，已推送的记为已取消。{note}', { note: t(flashNote) }),
      danger: true,
      okText: t('确认取消升级'),
      work,
    })
  const cancelMany = (choice: { ids?: number[]; status?: Status }) =>
    many('cancel', cancelOtaDevices, { taskUid, ...choice })
  const retryMany = (choice: { ids?: number[]; status?: Status }) =>
    many('retry', retryOtaDevices, { taskUid, ...choice }, note)
  const acts: DeviceAct<OtaDevice>[] = [
    {
      key: 'retry',
      needs: retryOtaDevice,
      ofMany: retryOtaDevices,
      fits: canRetry,
      run: (rows, clear) =>
        void (clear
          ? retryMany({ ids: idsOf(rows) }).then(clear)
          : Promise.all(
              rows.map(({ id }) => orTell(t('重试'), send(retryOtaDevice, { id }), t('已重试{note}', { note }))),
            )),
    },
    {
      key: 'cancel',
      needs: cancelOtaDevice,
      ofMany: cancelOtaDevices,
      fits: canCancel,
      run: (rows, clear) =>
        askCancel(whom(namesOf(rows)), () =>
          clear
            ? cancelMany({ ids: idsOf(rows) }).then(clear)
            : Promise.all(rows.map(({ id }) => send(cancelOtaDevice, { id }))),
        ),
    },
  ]
  return {
    acts,
    retryAll: (status: Status) =>
      ask({
        title: t('重试 {count, number} 台「{status}」的设备？', {
          count: countOf(task.counts, status),
          status: t(otaStatusLabels[status]),
        }),
        content: retryText(task),
        okText: t('重试'),
        work: () => retryMany({ status }),
      }),
    cancelAll: (status: Status) => askCancel(whom([], countOf(task.counts, status)), () => cancelMany({ status })),
  }
}

type DeviceWork = ReturnType<typeof useDeviceWork>

function AllButton({ task, status, work }: { task: OtaTask; status: Status; work: DeviceWork }) {
  const may = useMay()
  if (countOf(task.counts, status) === 0) return null
  if (canRetry({ status }) && may(retryOtaDevices))
    return <Button onClick={() => work.retryAll(status)}>{t('全部重试')}</Button>
  if (canCancel({ status }) && may(cancelOtaDevices))
    return <Button onClick={() => work.cancelAll(status)}>{t('全部取消')}</Button>
  return null
}

function SearchName({ filter, onFilter }: Pick<DeviceTableProps, 'filter' | 'onFilter'>) {
  const phone = usePhone()
  const [typed, setTyped] = useState(filter.name)
  return (
    <Input
      className={phone ? '' : 'device-search'}
      prefix={<SearchOutlined />}
      aria-label={t('设备名称')}
      placeholder={t('设备名称')}
      allowClear
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onPressEnter={() => onFilter({ name: typed.trim() })}
      onClear={() => onFilter({ name: '' })}
    />
  )
}

/** Every device of the task, as it goes on. */
export function DeviceTable({ task, filter, onFilter, refetchInterval }: DeviceTableProps) {
  const navigate = useNavigate()
  const work = useDeviceWork(task)
  const { taskUid, productID, stages } = task
  // Counted anew with every answer about the task: probation runs off in minutes, not in frames.
  const columns = useMemo(() => deviceColumns(productID, stages, Date.now()), [productID, stages])
  const stage = stageShown(task, filter)
  const counts = (stage !== undefined && stages[stage]?.counts) || task.counts
  const { status, name, reason } = filter
  const narrow = name !== '' || reason !== ''
  const clearAll = (
    <Button onClick={() => onFilter({ status: undefined, name: '', reason: '' })}>{t('清空筛选')}</Button>
  )
  return (
    <>
      <StatusSwitch counts={counts} filter={filter} onFilter={onFilter} />
      <ListPage<OtaDevice>
        embedded
        title={t('升级设备')}
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
            deviceName: name,
            reason,
            ...(status && { status }),
            ...(stage !== undefined && { stage }),
          }),
          refetchInterval,
        })}
        {...deviceActs(work.acts, ({ deviceName }) => {
          const log = () => void navigate(deviceDetailPath({ productID, deviceName }, 3))
          return { behind: [{ key: 'log', label: t('日志'), onClick: log }] }
        })}
        toolbar={
          <span className="inline-row gap-8">
            <SearchName key={name} filter={filter} onFilter={onFilter} />
            {/* It means all of the status, so a narrower filter takes it away. */}
            {stage === undefined && status !== undefined && !narrow && (
              <AllButton task={task} status={status} work={work} />
            )}
          </span>
        }
        empty={
          status !== undefined || narrow
            ? { title: t('没有符合条件的设备'), action: clearAll }
            : { title: t('还没有设备'), text: t('任务正在准备设备，或还没有设备符合条件。') }
        }
      />
    </>
  )
}
