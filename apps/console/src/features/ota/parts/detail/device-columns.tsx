import type { OtaDevice } from '@ithings/contract/features/ota/device.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { none, PresenceTag, stateColumn, textColumn, timeColumn } from '#blocks/rollout/columns.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { deviceDetailPath } from '#kit/paths.ts'
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
  if (step === undefined) return none
  return (
    <span className="device-step inline-row gap-8">
      <span
        className={
          row.status === OtaStatus.success ? 'share block clip grey-fill stacked-success' : 'share block clip grey-fill'
        }
        aria-hidden="true"
      >
        <span style={{ width: `${step}%` }} />
      </span>
      <span>{step}%</span>
    </span>
  )
}

/** @param now the clock that probation is counted by, milliseconds */
export const deviceColumns = (productID: string, stages: OtaTask['stages'], now: number): ListColumn<OtaDevice>[] => [
  textColumn('deviceName', t('设备'), ({ deviceName }) => deviceName, {
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, row) => (
      <span className="ota-device inline-row gap-8">
        <Link to={deviceDetailPath({ productID, deviceName: row.deviceName })} title={row.deviceName}>
          {row.deviceAlias || row.deviceName}
        </Link>
        <PresenceTag device={row} />
      </span>
    ),
  }),
  {
    key: 'version',
    title: t('版本'),
    phone: 'subtitle',
    render: (_value, row) => (
      <span className="mono">
        <span className="quiet">{row.version || t('未上报')} → </span>
        {row.status === OtaStatus.success ? <b>{row.destVersion}</b> : row.destVersion}
      </span>
    ),
  },
  stateColumn(otaStatusLooks, ({ status }) => status),
  { key: 'step', title: t('进度'), sorter: true, phone: 'meta', render: (_value, row) => <Step row={row} /> },
  {
    key: 'detail',
    title: t('详情'),
    className: 'cell-detail',
    phone: 'meta',
    render: (_value, row) => (
      <span className={row.status === OtaStatus.failed ? 'ota-detail block tone-error' : 'ota-detail block softer'}>
        {detailText(row, now)}
      </span>
    ),
  },
  ...(stages.length > 1
    ? [
        textColumn<OtaDevice>('stage', t('阶段', { context: 'single' }), ({ stage }) => stageNo(stages, stage), {
          hiddenAtFirst: true,
          phone: 'hide',
        }),
      ]
    : []),
  { key: 'attempts', title: t('推送次数'), dataIndex: 'attempts', hiddenAtFirst: true, phone: 'hide' },
  timeColumn('updatedTime', t('更新时间'), { hiddenAtFirst: true }),
]
