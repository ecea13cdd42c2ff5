/** What happened around a record: its newest occurrence, other alarms of the device, what was done about it. */

import { dayMs } from '@ithings/contract/durations.ts'
import {
  type AlarmCause,
  type AlarmLog,
  type AlarmRecord,
  dealTypeLabels,
} from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { Lasted } from '#blocks/alarm-records/record-cells.tsx'
import { handlerName, recordLook } from '#blocks/alarm-records/record-words.ts'
import { latencyText } from '#blocks/log-table/log-cells.tsx'
import { useTrace } from '#blocks/message-trace/use-trace.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { deviceDetailPath } from '#kit/paths.ts'
import { QueryError } from '#kit/states/loaded.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { runQuery, traceQuery } from '../../context-queries.ts'
import { momentsOf } from '../../moments.ts'
import { dealsQuery } from '../../queries.ts'
import { recordsQuery } from '../../record-queries.ts'

const Title = ({ text, children }: { text: string; children: ReactNode }) => (
  <div className="panel-title below-8 row wrap">
    <h3 className="bare bold">{text}</h3>
    {children}
  </div>
)

const linkClass = 'plain-button tone-processing panel-title-end to-end'

/** The newest occurrence from the message to the notice; what is no longer stored is left out and said so. */
export function MomentList({ log, cause }: { log: AlarmLog; cause: AlarmCause | undefined }) {
  const tranceID = cause?.tranceID ?? ''
  const runID = cause?.runID ?? ''
  const trace = useQuery({ ...traceQuery(tranceID), enabled: tranceID !== '', retry: false })
  const run = useQuery({ ...runQuery(runID), enabled: runID !== '', retry: false })
  const { show, drawer } = useTrace()
  if (trace.isLoading || run.isLoading) return <Skeleton active paragraph={{ rows: 4 }} title={false} />
  const moments = momentsOf({ entry: trace.data?.entry, run: run.data ?? undefined, log, cause })
  return (
    <>
      <Title text={t('消息跟踪')}>
        {tranceID && <Copyable text={tranceID} />}
        {trace.data && (
          <button type="button" className={linkClass} onClick={() => show(tranceID)}>
            {t('完整轨迹')}
          </button>
        )}
      </Title>
      <ol className="bare-list">
        {moments.map(({ key, time, kind, text, took, tone }) => (
          <li key={key} className={`moment grid baseline gap-8 moment-${tone}`}>
            <time className="mono-payload softer">{formatTime(time, 'HH:mm:ss.SSS')}</time>
            <span className="moment-dot circle" aria-hidden="true" />
            <span className="softer">{kind}</span>
            <span className={tone === 'error' ? 'anywhere tone-error' : 'anywhere'}>{text}</span>
            <span className="meta">{took === undefined ? '—' : latencyText(took)}</span>
          </li>
        ))}
      </ol>
      {tranceID !== '' && trace.isError && <p className="meta">{t('触发它的消息已过保留期或无权查看。')}</p>}
      {drawer}
    </>
  )
}

const shown = 5
const days = 30
const alarmTab = 13

/** Other alarms of the same device. */
export function DeviceHistory({ record, onShow }: { record: AlarmRecord; onShow: (id: number) => void }) {
  const { productID, deviceName } = record
  const key = { history: { productID, deviceName } }
  const page = { page: 1, size: shown + 1, orders: [{ field: 'lastAlarm', sort: 2 }] }
  const filter = () => ({ productID, deviceName, timeRange: { start: Date.now() - days * dayMs }, page })
  const { data } = useQuery(recordsQuery(key, filter, false))
  const others = data?.list.filter(({ id }) => id !== record.id).slice(0, shown) ?? []
  return (
    <section className="panel-section">
      <Title text={t('同设备历史')}>
        {data && (
          <span className="meta">
            {t('近 {days} 天 {count} 条其他告警', { days, count: Math.max(0, data.total - 1) })}
          </span>
        )}
        <Link className="panel-title-end to-end" to={deviceDetailPath(record, alarmTab)}>
          {t('查看设备')}
        </Link>
      </Title>
      {others.length === 0 ? (
        <p className="meta">{data ? t('没有其他告警。') : t('加载中…')}</p>
      ) : (
        <ul className="panel-rows bare-list">
          {others.map((one) => (
            <li key={one.id} className="baseline gap-8">
              <span className="mono-payload">{formatTime(one.lastAlarm, 'MM-DD HH:mm')}</span>
              <button type="button" className="plain-button link-hover start cut" onClick={() => onShow(one.id)}>
                {one.alarmName}
              </button>
              <AlarmLevelMark level={one.level} />
              <Lasted record={one} />
              <span className="meta cut">{[handlerName(one), t(recordLook(one).text)].filter(Boolean).join(' ')}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const few = 3
const many = 100

/** What was done about this record before, newest first. */
export function DealList({ recordID }: { recordID: number }) {
  const [size, setSize] = useState(few)
  const deals = useQuery(dealsQuery(recordID, size))
  const { data } = deals
  return (
    <section className="panel-section">
      <Title text={t('处理记录')}>
        {data && <span className="meta">{t('{count} 次', { count: data.total })}</span>}
        {data && data.total > size && (
          <button type="button" className={linkClass} onClick={() => setSize(many)}>
            {t('全部')}
          </button>
        )}
      </Title>
      {deals.error && !data ? (
        <QueryError compact subject={t('处理记录')} query={deals} />
      ) : data?.list.length === 0 ? (
        <p className="meta">{t('还没有处理过。')}</p>
      ) : (
        <ul className="deal-rows bare-list">
          {data?.list.map((deal) => (
            <li key={deal.id} className="anywhere baseline gap-8">
              <span className="mono-payload">{formatTime(deal.createdTime, 'MM-DD HH:mm:ss')}</span>
              <span>
                {deal.result}
                <span className="meta" style={{ marginInlineStart: 8 }}>
                  {t('{who}处理 {time} 的告警', {
                    who: deal.userName || labelOf(dealTypeLabels, deal.type),
                    time: formatTime(deal.alarmTime, 'MM-DD HH:mm'),
                  })}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
