import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { ErrorState } from '#kit/states/error-state.tsx'
import { analysisQuery } from '../../task-queries.ts'
import { TrendChart } from './trend-chart.tsx'
import './side.css'

interface ReasonsProps {
  task: OtaTask
  refetchInterval: number | false
  /** The reason that the table is filtered by. */
  reason: string
  onPick: (reason: string) => void
}

/** Why devices failed, most first; a click shows those devices. */
export function Reasons({ task, refetchInterval, reason, onPick }: ReasonsProps) {
  const analysis = useQuery({ ...analysisQuery(task.taskUid), refetchInterval })
  const reasons = analysis.data?.reasons ?? []
  const total = reasons.reduce((sum, { count }) => sum + count, 0)
  return (
    <section className="detail-card reasons">
      <header className="detail-head">
        <h2>失败原因</h2>
        {total > 0 && <span className="meta">{total.toLocaleString()} 台</span>}
        {reason !== '' && (
          <button type="button" className="plain-button reasons-all" onClick={() => onPick('')}>
            显示全部
          </button>
        )}
      </header>
      {analysis.isError && !analysis.data ? (
        <ErrorState
          compact
          subject="失败原因"
          error={analysis.error}
          retrying={analysis.isFetching}
          onRetry={() => void analysis.refetch()}
        />
      ) : !analysis.data ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : reasons.length === 0 ? (
        <p className="reasons-none">还没有设备失败</p>
      ) : (
        <ul className="reasons-list column gap-4">
          {reasons.map((one) => (
            <li key={one.reason}>
              <button
                type="button"
                className="plain-button reason"
                aria-pressed={one.reason === reason}
                onClick={() => onPick(one.reason === reason ? '' : one.reason)}
              >
                <span className="flex between gap-12">
                  <span className="anywhere" title={one.reason}>
                    {one.reason || '设备没有说明'}
                  </span>
                  <b>{one.count.toLocaleString()}</b>
                </span>
                <span className="reason-track" aria-hidden="true">
                  <span style={{ width: `${(one.count / total) * 100}%` }} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {analysis.data && <TrendChart task={task} trend={analysis.data.trend} />}
    </section>
  )
}
