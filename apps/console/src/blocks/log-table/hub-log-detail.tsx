import type { HubLogRow } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { Copyable } from '#kit/copyable.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { TimeText } from '#kit/time-text.tsx'
import type { Exchange } from './exchanges.ts'
import { LatencyChip, WayMark } from './log-cells.tsx'
import './log-table.css'
import { resultOf } from './result-view.ts'
import { shownContent } from './shown-content.ts'

/** Why a message was refused and what helps. */
export function WhyRefused({ row }: { row: Pick<HubLogRow, 'resultType' | 'msg'> }) {
  const { ok, code, text, advice } = resultOf(row)
  if (ok) return null
  return (
    <div className="log-why pad-8-12 round-6 back-fill column tone-error below-8">
      <span>{t('{text}（{code}）', { text, code })}</span>
      {advice && <span className="log-advice">{advice}</span>}
    </div>
  )
}

interface HubLogDetailProps {
  exchange: Exchange
  onTrace: (row: HubLogRow) => void
  onContext: (row: HubLogRow) => void
}

/** An opened line: the message and its replies, formatted. */
export function HubLogDetail({ exchange, onTrace, onContext }: HubLogDetailProps) {
  const { replies, ...request } = exchange
  return (
    <>
      {[request, ...replies].map((row) => (
        <section key={row.tranceID} className="log-detail-part" aria-label={row.method || row.action}>
          <div className="log-detail-line gap-4-12 row wrap shrink below-8">
            <WayMark way={row.way} />
            <b className="mono">{row.method || row.action}</b>
            <span className="meta">
              <TimeText value={row.timestamp} mode="log" />
            </span>
            {row.latency > 0 && <LatencyChip ms={row.latency} />}
            {row.topic && <Copyable text={row.topic} />}
            <Button type="link" size="small" onClick={() => onTrace(row)}>
              {t('消息跟踪')}
            </Button>
            <Button type="link" size="small" onClick={() => onContext(row)}>
              {t('前后 20 条')}
            </Button>
          </div>
          <WhyRefused row={row} />
          <JsonView value={shownContent(row.content)} maxHeight={320} />
        </section>
      ))}
    </>
  )
}
