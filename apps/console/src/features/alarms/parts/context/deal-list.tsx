import { dealTypeLabels } from '@ithings/contract/features/alarms/record.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '#kit/states/error-state.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { dealsQuery } from '../../queries.ts'

const few = 3
const many = 100

/** What was done about this record before, newest first. */
export function DealList({ recordID }: { recordID: number }) {
  const [size, setSize] = useState(few)
  const { data, error, isFetching, refetch } = useQuery(dealsQuery(recordID, size))
  return (
    <section className="panel-section">
      <div className="panel-title">
        <h3>处理记录</h3>
        {data && <span className="meta">{data.total} 次</span>}
        {data && data.total > size && (
          <button type="button" className="plain-button panel-link panel-title-end" onClick={() => setSize(many)}>
            全部
          </button>
        )}
      </div>
      {error && !data ? (
        <ErrorState compact subject="处理记录" error={error} retrying={isFetching} onRetry={() => void refetch()} />
      ) : data?.list.length === 0 ? (
        <p className="meta">还没有处理过。</p>
      ) : (
        <ul className="deal-rows bare-list">
          {data?.list.map((deal) => (
            <li key={deal.id}>
              <span className="mono-payload">{formatTime(deal.createdTime, 'MM-DD HH:mm:ss')}</span>
              <span>
                {deal.result}
                <span className="meta deal-by">
                  {deal.userName || labelOf(dealTypeLabels, deal.type)}处理 {formatTime(deal.alarmTime, 'MM-DD HH:mm')}{' '}
                  的告警
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
