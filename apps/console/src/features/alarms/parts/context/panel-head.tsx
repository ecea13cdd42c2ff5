import { CloseOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons'
import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Tooltip } from 'antd'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { DueTime, Lasted } from '#blocks/alarm-records/record-cells.tsx'
import { handlerName, hasDevice, isOpenRecord, recordLook, sourceName } from '#blocks/alarm-records/record-words.ts'
import { Fact } from '#blocks/fact.tsx'
import { alarmLogPath, deviceDetailPath, scenePath } from '#kit/paths.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import type { Neighbours } from '../../neighbours.ts'

interface PanelHeadProps {
  record: AlarmRecord
  neighbours: Neighbours<AlarmRecord>
  onShow: (id: number) => void
  onClose: () => void
}

/** Of today the time alone. */
const clock = (time: number): string =>
  formatTime(time, dayjs(time).isSame(dayjs(), 'day') ? 'HH:mm:ss' : 'MM-DD HH:mm:ss')

/** What it is, where, since when and how much time is left. */
export function PanelHead({ record, neighbours, onShow, onClose }: PanelHeadProps) {
  const { previous, next } = neighbours
  const step = (label: string, icon: ReactNode, to: AlarmRecord | undefined) => (
    <Tooltip title={label}>
      <Button type="text" icon={icon} aria-label={label} disabled={!to} onClick={() => to && onShow(to.id)} />
    </Tooltip>
  )
  const who = handlerName(record)
  return (
    <header className="panel-head line-bottom anywhere">
      <div className="panel-identity row gap-8">
        <AlarmLevelMark level={record.level} filled />
        <h2 className="cut shrink bare bold" title={record.alarmName}>
          {record.alarmName}
        </h2>
        <StatusTag {...recordLook(record)} />
        <span className="panel-steps inline-row fixed">
          {step(t('上一条'), <LeftOutlined />, previous)}
          {step(t('下一条'), <RightOutlined />, next)}
          <Button type="text" icon={<CloseOutlined />} aria-label={t('关闭')} onClick={onClose} />
        </span>
      </div>
      <div className="flex wrap gap-12 tight">
        {hasDevice(record) ? (
          <Link to={deviceDetailPath(record)}>{sourceName(record)}</Link>
        ) : (
          <span>{t('非设备触发')}</span>
        )}
        {record.productName && <span className="meta">{record.productName}</span>}
        {record.sceneName && (
          <span className="meta">
            {t('场景')}{' '}
            {record.sceneID > 0 ? <Link to={scenePath(record.sceneID)}>{record.sceneName}</Link> : record.sceneName}
          </span>
        )}
        <Link className="panel-title-end to-end" to={alarmLogPath(record)}>
          {t('告警日志')}
        </Link>
      </div>
      {record.cause && <p className="bare above-4 softer">{record.cause}</p>}
      <dl className="panel-facts gap-4-12 grid">
        <Fact label={t('首次告警')}>{clock(record.firstAlarm)}</Fact>
        <Fact label={t('最近告警')}>{clock(record.lastAlarm)}</Fact>
        <Fact label={t('持续 / 次数')}>
          <Lasted record={record} /> {t('/ {count} 次', { count: record.openedCount })}
        </Fact>
        {isOpenRecord(record) ? (
          <Fact label={t('处理时限')}>
            {record.dueTime > 0 ? <DueTime record={record} /> : <span className="no-value">{t('不限')}</span>}
          </Fact>
        ) : (
          <Fact label={t('处理人')}>{who || <span className="no-value">—</span>}</Fact>
        )}
      </dl>
      {isOpenRecord(record) && who && (
        <p className="meta">{t('{who} 于 {time} 认领', { who, time: clock(record.claimTime) })}</p>
      )}
      {!isOpenRecord(record) && record.dealTime > 0 && (
        <p className="bare above-4 softer">
          {clock(record.dealTime)}　{record.dealResult}
        </p>
      )}
    </header>
  )
}
