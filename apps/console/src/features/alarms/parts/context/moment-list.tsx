import type { AlarmCause, AlarmLog } from '@ithings/contract/features/alarms/record.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useState } from 'react'
import { latencyText } from '#blocks/log-table/log-cells.tsx'
import { MessageTrace } from '#blocks/message-trace/message-trace.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { formatTime } from '#kit/time.ts'
import { runQuery, traceQuery } from '../../context-queries.ts'
import { momentsOf } from '../../moments.ts'

interface MomentListProps {
  log: AlarmLog
  cause: AlarmCause | undefined
}

/** The newest occurrence from the message to the notice; what is no longer stored is left out and said so. */
export function MomentList({ log, cause }: MomentListProps) {
  const tranceID = cause?.tranceID ?? ''
  const runID = cause?.runID ?? ''
  const trace = useQuery({ ...traceQuery(tranceID), enabled: tranceID !== '', retry: false })
  const run = useQuery({ ...runQuery(runID), enabled: runID !== '', retry: false })
  const [shown, setShown] = useState<string>()
  const [open, setOpen] = useState(false)
  const show = (id: string) => {
    setShown(id)
    setOpen(true)
  }
  if (trace.isLoading || run.isLoading) return <Skeleton active paragraph={{ rows: 4 }} title={false} />
  const moments = momentsOf({ entry: trace.data?.entry, run: run.data ?? undefined, log, cause })
  return (
    <>
      <div className="panel-title">
        <h3>消息跟踪</h3>
        {tranceID && <Copyable text={tranceID} />}
        {trace.data && (
          <button type="button" className="plain-button panel-link panel-title-end" onClick={() => show(tranceID)}>
            完整轨迹
          </button>
        )}
      </div>
      <ol className="moments bare-list">
        {moments.map(({ key, time, kind, text, took, tone }) => (
          <li key={key} className={`moment baseline gap-8 moment-${tone}`}>
            <time className="mono-payload">{formatTime(time, 'HH:mm:ss.SSS')}</time>
            <span className="moment-dot" aria-hidden="true" />
            <span className="softer">{kind}</span>
            <span className="moment-text anywhere">{text}</span>
            <span className="meta">{took === undefined ? '—' : latencyText(took)}</span>
          </li>
        ))}
      </ol>
      {tranceID !== '' && trace.isError && <p className="meta">触发它的消息已过保留期或无权查看。</p>}
      <MessageTrace tranceID={shown} open={open} onClose={() => setOpen(false)} onShow={(row) => show(row.tranceID)} />
    </>
  )
}
