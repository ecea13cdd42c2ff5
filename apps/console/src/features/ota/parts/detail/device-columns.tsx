import { cancelOtaDevice, type OtaDevice, retryOtaDevice } from '@ithings/contract/features/ota/device.ts'
import { isOtaOpen, OtaStatus, otaStatusLabels } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { Link } from 'react-router'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import type { ListColumn, RowAction } from '#kit/list-page/list-contract.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { otaStatusLooks } from '../../labels.ts'
import { stageNo } from '../../progress.ts'
import { detailText } from './device-words.ts'

const stepOf = ({ status, step }: OtaDevice): number | undefined => {
  if (status === OtaStatus.success) return 100
  if (status === OtaStatus.updating) return step
  return status === OtaStatus.pushed ? 0 : undefined
}

function Step({ row }: { row: OtaDevice }) {
  const step = stepOf(row)
  if (step === undefined) return <span className="no-value">—</span>
  return (
    <span className={`device-step inline-row gap-8 device-step-${row.status}`}>
      <span className="device-step-track" aria-hidden="true">
        <span style={{ width: `${step}%` }} />
      </span>
      <span>{step}%</span>
    </span>
  )
}

/** Of a device that was deleted. */
const gone = ''

/** @param now the clock that probation is counted by, milliseconds */
export const deviceColumns = (productID: string, stages: OtaTask['stages'], now: number): ListColumn<OtaDevice>[] => [
  {
    key: 'deviceName',
    title: '设备',
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, row) => (
      <span className="ota-device inline-row gap-8">
        <Link to={deviceDetailPath({ productID, deviceName: row.deviceName })} title={row.deviceName}>
          {row.deviceAlias || row.deviceName}
        </Link>
        {row.firstLogin === gone ? <StatusTag text="已删除" tone="default" ring /> : <DeviceStatusTag device={row} />}
      </span>
    ),
    exportText: (row) => row.deviceName,
  },
  {
    key: 'version',
    title: '版本',
    phone: 'subtitle',
    render: (_value, row) => (
      <span className="mono">
        <span className="quiet">{row.version || '未上报'} → </span>
        {row.status === OtaStatus.success ? <b>{row.destVersion}</b> : row.destVersion}
      </span>
    ),
  },
  {
    key: 'status',
    title: '状态',
    sorter: true,
    phone: 'status',
    render: (_value, row) => <StatusTag looks={otaStatusLooks} value={row.status} />,
    exportText: (row) => labelOf(otaStatusLabels, row.status),
  },
  { key: 'step', title: '进度', sorter: true, phone: 'meta', render: (_value, row) => <Step row={row} /> },
  {
    key: 'detail',
    title: '详情',
    className: 'cell-detail',
    phone: 'meta',
    render: (_value, row) => (
      <span className={row.status === OtaStatus.failed ? 'ota-detail ota-detail-failed' : 'ota-detail'}>
        {detailText(row, now)}
      </span>
    ),
  },
  ...(stages.length > 1
    ? [
        {
          key: 'stage',
          title: '阶段',
          hiddenAtFirst: true,
          phone: 'hide' as const,
          render: (_value: unknown, row: OtaDevice) => stageNo(stages, row.stage),
        },
      ]
    : []),
  {
    key: 'attempts',
    title: '推送次数',
    dataIndex: 'attempts',
    hiddenAtFirst: true,
    phone: 'hide',
  },
  {
    key: 'updatedTime',
    title: '更新时间',
    sorter: true,
    hiddenAtFirst: true,
    phone: 'hide',
    render: (_value, row) => <TimeText value={row.updatedTime} />,
    exportText: (row) => formatTime(row.updatedTime),
  },
]

const retriable: readonly number[] = [OtaStatus.failed, OtaStatus.higher, OtaStatus.cancelled]

export const canRetry = ({ status }: Pick<OtaDevice, 'status'>): boolean => retriable.includes(status)
export const canCancel = ({ status }: Pick<OtaDevice, 'status'>): boolean =>
  isOtaOpen(status as Parameters<typeof isOtaOpen>[0])

interface RowWork {
  retry: (row: OtaDevice) => void
  cancel: (row: OtaDevice) => void
  log: (row: OtaDevice) => void
}

export const deviceActions = (row: OtaDevice, work: RowWork): RowAction[] => [
  ...(canRetry(row) ? [{ key: 'retry', label: '重试', needs: retryOtaDevice, onClick: () => work.retry(row) }] : []),
  ...(canCancel(row)
    ? [{ key: 'cancel', label: '取消', needs: cancelOtaDevice, onClick: () => work.cancel(row) }]
    : []),
  { key: 'log', label: '日志', onClick: () => work.log(row) },
]
