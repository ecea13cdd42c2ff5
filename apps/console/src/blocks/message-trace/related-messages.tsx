import type { HubLogRow } from '@ithings/contract/features/devices/msg.ts'
import { formatTime } from '#kit/time.ts'
import { latencyText, ResultTag, WayMark } from '../log-table/log-cells.tsx'

interface RelatedMessagesProps {
  rows: readonly HubLogRow[]
  current: string
  onShow: (row: HubLogRow) => void
}

/** A time line of one request: each message with the time since the first. */
export function RelatedMessages({ rows, current, onShow }: RelatedMessagesProps) {
  const began = Number(rows[0]?.timestamp ?? 0)
  return (
    <ol className="trace-related bare-list">
      {rows.map((row) => {
        const since = Number(row.timestamp) - began
        return (
          <li key={row.tranceID}>
            <button
              type="button"
              className="plain-button trace-related-row"
              aria-current={row.tranceID === current}
              onClick={() => onShow(row)}
            >
              <span className="mono-payload">{formatTime(row.timestamp, 'HH:mm:ss.SSS')}</span>
              <WayMark way={row.way} />
              <span className="mono trace-related-name">{row.method || row.action}</span>
              <span className="meta">{since > 0 ? `+${latencyText(since)}` : ''}</span>
              <ResultTag row={row} />
            </button>
          </li>
        )
      })}
    </ol>
  )
}
