import type { DataOf } from '@ithings/contract/endpoint.ts'
import { type countAlarmRecords, DealState } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { Link } from 'react-router'
import { AccessRequests } from '#blocks/access-requests.tsx'
import { AlarmBars, AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { sourceName } from '#blocks/alarm-records/record-words.ts'
import { numberText } from '#kit/number-text.ts'
import { paths, waitingPlansPath } from '#kit/paths.ts'
import { QueryError } from '#kit/states/loaded.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { recordsQuery } from '../record-queries.ts'
import { SoundSwitch } from './sound-switch.tsx'

const shown = 8

/** Without orders the server answers the worst first, then the newest. */
const latestQuery = recordsQuery(
  'bell',
  () => ({ dealState: DealState.alarming, page: { page: 1, size: shown } }),
  false,
)

interface BellPanelProps {
  count: DataOf<typeof countAlarmRecords> | undefined
  /** That wait for this person. */
  plans: number
  onLeave: () => void
}

export function BellPanel({ count, plans, onLeave }: BellPanelProps) {
  const latest = useQuery(latestQuery)
  const { data } = latest
  return (
    <div className="bell-panel">
      <AccessRequests onLeave={onLeave} />
      {plans > 0 && (
        <Link
          className="block line-bottom bold below-12"
          style={{ paddingBottom: 12 }}
          to={waitingPlansPath}
          onClick={onLeave}
        >
          {t('{count} 个配置计划待批准', { count: plans })}
        </Link>
      )}
      <div className="bell-head row gap-8">
        <b>
          {t('未处理告警')} {count ? numberText(count.open) : ''}
        </b>
        {count && count.overdue > 0 && (
          <span className="tone-error small">{t('{count, number} 条超时', { count: count.overdue })}</span>
        )}
        <span className="to-end">
          <SoundSwitch />
        </span>
      </div>
      {count && count.open > 0 && (
        <div className="bell-levels flex gap-16">
          {count.levels
            .filter(({ open }) => open > 0)
            .toSorted((one, other) => other.level - one.level)
            .map(({ level, open }) => (
              <Link
                key={level}
                className="inline-row gap-4"
                to={`${paths.alarmQueue}?levels=${level}`}
                onClick={onLeave}
              >
                <AlarmBars level={level} /> {numberText(open)}
              </Link>
            ))}
        </div>
      )}
      {latest.error && !data ? (
        <QueryError compact subject={t('告警')} query={latest} />
      ) : !data ? (
        <Skeleton active title={false} paragraph={{ rows: 4 }} />
      ) : data.list.length === 0 ? (
        <p className="centered quiet" style={{ margin: '32px 0' }}>
          {t('没有未处理的告警')}
        </p>
      ) : (
        <ul className="bell-rows scroll-y bare-list">
          {data.list.map((record) => (
            <li key={record.id}>
              <Link className="gap-8 tight hover-fill" to={`${paths.alarmQueue}?record=${record.id}`} onClick={onLeave}>
                <span className="medium cut">{record.alarmName}</span>
                <AlarmLevelMark level={record.level} />
                <span className="meta cut">{sourceName(record)}</span>
                <span className="meta">
                  <TimeText value={record.lastAlarm} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Link
        className="block line-above centered"
        style={{ margin: '4px -12px -12px', padding: 10 }}
        to={paths.alarmQueue}
        onClick={onLeave}
      >
        {t('查看全部告警')}
      </Link>
    </div>
  )
}
