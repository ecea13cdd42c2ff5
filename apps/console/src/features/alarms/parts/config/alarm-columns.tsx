import { WarningFilled } from '@ant-design/icons'
import { type AlarmInfo, AlarmStatus, alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import { t } from '@ithings/contract/text.ts'
import { Switch, Tooltip } from 'antd'
import { Link } from 'react-router'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { enabledLooks } from '#blocks/enabled-status.ts'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { numberText } from '#kit/number-text.ts'
import { alarmEditPath, paths } from '#kit/paths.ts'
import { lookOf } from '#kit/status-tag.tsx'

export const isEnabled = ({ status }: Pick<AlarmInfo, 'status'>): boolean => status === AlarmStatus.enabled

/** screens.md 23: enabled, but no linked scene raises it: it will stay silent for ever. */
const isMute = (alarm: AlarmInfo): boolean => isEnabled(alarm) && alarm.raisingCount === 0

function SceneCount({ alarm }: { alarm: AlarmInfo }) {
  return (
    <span className="inline-row gap-8">
      <Link to={alarmEditPath(alarm.id, 'scenes')}>{alarm.sceneCount}</Link>
      {isMute(alarm) && (
        <Tooltip
          title={
            alarm.sceneCount === 0
              ? t('已启用，但没有关联场景，不会产生告警')
              : t('已启用，但关联的场景里没有「触发告警」动作，不会产生告警')
          }
        >
          <span className="tone-warning inline-row small gap-4">
            <WarningFilled />
            {t('无触发场景')}
          </span>
        </Tooltip>
      )}
    </span>
  )
}

interface Switching {
  /** Ids that are being switched just now. */
  busy: ReadonlySet<number>
  /** Whoever looks may not switch. */
  fixed: boolean
  onSwitch: (alarm: AlarmInfo, on: boolean) => void
}

const nameAndLevel: readonly ListColumn<AlarmInfo>[] = [
  {
    key: 'name',
    title: '名称',
    dataIndex: 'name',
    className: 'cell-name',
    sorter: true,
    hideable: false,
    phone: 'title',
    truncate: 240,
    render: (_value, row) => <Link to={alarmEditPath(row.id)}>{row.name}</Link>,
  },
  {
    key: 'level',
    title: '级别',
    className: 'cell-level',
    sorter: true,
    phone: 'subtitle',
    render: (_value, row) => <AlarmLevelMark level={row.level} />,
    labels: alarmLevelLabels,
  },
]

const statusColumn = ({ busy, fixed, onSwitch }: Switching): ListColumn<AlarmInfo> => ({
  key: 'status',
  title: t('状态'),
  className: 'cell-status',
  sorter: true,
  phone: 'status',
  render: (_value, row) => (
    <Switch
      size="small"
      checked={isEnabled(row)}
      loading={busy.has(row.id)}
      disabled={fixed}
      aria-label={t('启用 {name}', { name: row.name })}
      onChange={(on) => onSwitch(row, on)}
    />
  ),
  exportText: (row) => t(lookOf(enabledLooks, row.status).text),
})

/** In the card view the title of the column stands before the value. */
const labelled = (column: ListColumn<AlarmInfo>): ListColumn<AlarmInfo> => {
  const label = (): object => ({ 'data-label': t(column.title) })
  return { ...column, onCell: label }
}

const otherColumns: readonly ListColumn<AlarmInfo>[] = [
  labelled({
    key: 'sceneCount',
    title: '关联场景',
    dataIndex: 'sceneCount',
    phone: 'meta',
    render: (_value, row) => <SceneCount alarm={row} />,
  }),
  labelled({
    key: 'openCount',
    title: '未处理记录',
    dataIndex: 'openCount',
    sorter: true,
    phone: 'meta',
    render: (_value, row) =>
      row.openCount > 0 ? (
        <Link className="tone-error bold" to={`${paths.alarmQueue}?alarmID=${row.id}`}>
          {numberText(row.openCount)}
        </Link>
      ) : (
        <span className="no-value">0</span>
      ),
  }),
  labelled({
    key: 'notify',
    title: '通知渠道',
    render: (_value, row) =>
      row.notify.channelIDs.length > 0 ? (
        <Link to={alarmEditPath(row.id, 'notify')}>{t('{count} 个', { count: row.notify.channelIDs.length })}</Link>
      ) : (
        <span className="no-value">{t('不通知')}</span>
      ),
    exportText: (row) => row.notify.channelIDs.length,
  }),
  { key: 'desc', title: '说明', dataIndex: 'desc', truncate: 240 },
  labelled({ key: 'createdTime', title: '创建时间', sorter: true, time: 'relative' }),
]

export const alarmColumns = (switching: Switching): ListColumn<AlarmInfo>[] => [
  ...nameAndLevel,
  statusColumn(switching),
  ...otherColumns,
]
