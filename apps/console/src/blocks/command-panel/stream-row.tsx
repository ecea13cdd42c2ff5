import { CaretRightOutlined } from '@ant-design/icons'
import type { HubLogRow } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { JsonView } from '#kit/json-view.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import type { Exchange } from '../log-table/exchanges.ts'
import { actionText, Latency, ReplyChip, WayMark } from '../log-table/log-cells.tsx'
import { resultOf } from '../log-table/result-view.ts'
import { shownContent } from '../log-table/shown-content.ts'
import { lineText } from './summary.ts'

interface StreamLineProps {
  row: HubLogRow
  /** Right end: latency or what became of it. */
  end: React.ReactNode
  onTrace: (row: HubLogRow) => void
}

function StreamLine({ row, end, onTrace }: StreamLineProps) {
  const [open, setOpen] = useState(false)
  const { ok, code, text } = resultOf(row)
  return (
    <>
      <button
        type="button"
        className="plain-button stream-line hover-fill gap-8 grid high-36 touch wide start"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <CaretRightOutlined className="quiet" style={{ fontSize: 10 }} rotate={open ? 90 : 0} />
        <span className="mono-payload">{formatTime(row.timestamp, 'HH:mm:ss.SSS')}</span>
        <WayMark way={row.way} />
        <span className="stream-text cut softer">
          <b className="mono">{row.method || actionText(row.action)}</b>{' '}
          <span className={ok ? '' : 'tone-error'}>{ok ? lineText(row) : `${code} ${text}`}</span>
        </span>
        {end}
      </button>
      {open && (
        <div className="stream-body">
          <div className="row wrap between anywhere gap-8">
            <span className="mono-payload">{row.topic}</span>
            <Button type="link" size="small" onClick={() => onTrace(row)}>
              {t('消息跟踪')}
            </Button>
          </div>
          <JsonView value={shownContent(row.content)} openLevels={3} maxHeight={320} />
        </div>
      )}
    </>
  )
}

interface StreamRowProps {
  exchange: Exchange
  now: number
  onTrace: (row: HubLogRow) => void
}

/** A request and its replies as one block, as they were said. */
export function StreamRow({ exchange, now, onTrace }: StreamRowProps) {
  const { replies, ...request } = exchange
  const answer = <ReplyChip exchange={exchange} now={now} none={<Latency ms={request.latency} />} />
  const paired = replies.length > 0
  return (
    <li className={paired ? 'line-bottom stream-paired' : 'line-bottom'}>
      <StreamLine
        row={request}
        onTrace={onTrace}
        end={paired ? <StatusTag filled text={t('已配对')} tone="default" /> : answer}
      />
      {replies.map((reply, index) => (
        <StreamLine
          key={reply.tranceID}
          row={reply}
          onTrace={onTrace}
          end={index === replies.length - 1 ? answer : null}
        />
      ))}
    </li>
  )
}
