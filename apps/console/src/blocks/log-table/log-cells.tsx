/** The cells that every log shares: direction, category, result with advice, latency. */

import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import { type HubLogRow, hubActionLabels } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { type Exchange, replyState } from './exchanges.ts'
import './log-table.css'
import { numberText } from '#kit/number-text.ts'
import { resultOf } from './result-view.ts'

export const wayText = (way: string): string => (way === 'down' ? t('下行') : t('上行'))

/** Up: from the device; down: from the platform. Arrow and word, never colour alone. */
export function WayMark({ way }: { way: string }) {
  const Arrow = way === 'down' ? ArrowDownOutlined : ArrowUpOutlined
  return (
    <span
      className={`way-mark round-4 back-fill inline-row center small ${way === 'down' ? 'tone-processing' : 'tone-success'}`}
      role="img"
      aria-label={wayText(way)}
      title={wayText(way)}
    >
      <Arrow />
    </span>
  )
}

export const actionText = (action: string): string => labelOf(hubActionLabels, action)

export function ResultTag({ row }: { row: Pick<HubLogRow, 'resultType' | 'msg'> }) {
  const { ok, code, text, advice } = resultOf(row)
  if (ok) return <StatusTag text={t('成功')} tone="success" />
  return (
    <Tooltip
      title={
        <>
          <div>{text}</div>
          {advice && <div>{advice}</div>}
        </>
      }
    >
      <span>
        <StatusTag text={String(code)} tone="error" />
      </span>
    </Tooltip>
  )
}

/** look.md "Chips": under 500 ms green, to 3 s amber, longer red. */
const quick = 500
const slow = 3000

export const latencyTone = (ms: number) => (ms < quick ? 'success' : ms <= slow ? 'warning' : 'error')

/** Milliseconds with as many digits as matter, the same number of them below each other. */
export function latencyText(ms: number): string {
  const digits = ms < 1 ? 2 : ms < 10 ? 1 : 0
  return `${numberText(ms, digits, digits)} ms`
}

export const LatencyChip = ({ ms }: { ms: number }) => (
  <StatusTag filled text={latencyText(ms)} tone={latencyTone(ms)} />
)

export const Latency = ({ ms }: { ms: number }) =>
  ms > 0 ? <span className={`tone-${latencyTone(ms)}`}>{latencyText(ms)}</span> : <span className="no-value">—</span>

interface MessageLineProps {
  row: HubLogRow
  /** It is the one that is looked at. */
  current: boolean
  onShow: (row: HubLogRow) => void
  children: ReactNode
}

/** A message in a list that opens it: when, which way, what it is, and what became of it. */
export const MessageLine = ({ row, current, onShow, children }: MessageLineProps) => (
  <button
    type="button"
    className="plain-button message-line hover-fill gap-8 grid wide start"
    aria-current={current}
    onClick={() => onShow(row)}
  >
    <span className="mono-payload">{formatTime(row.timestamp, 'HH:mm:ss.SSS')}</span>
    <WayMark way={row.way} />
    {children}
    <ResultTag row={row} />
  </button>
)

interface ReplyChipProps {
  exchange: Exchange
  now: number
  /** Where no answer is expected. */
  none?: ReactNode
}

/** What became of a request: the latency of its answer, or why there is none. */
export function ReplyChip({ exchange, now, none = null }: ReplyChipProps) {
  const reply = replyState(exchange, now)
  switch (reply.state) {
    case 'none':
      return none
    case 'waiting':
      return <StatusTag filled text={t('等待回复')} tone="processing" />
    case 'timeout':
      return <StatusTag filled text={t('未回复 · 超时')} tone="error" />
    case 'refused': {
      const { code } = resultOf(reply.reply ?? exchange)
      return (
        <StatusTag
          filled
          text={reply.latency > 0 ? `${code} · ${latencyText(reply.latency)}` : String(code)}
          tone="error"
        />
      )
    }
    case 'answered':
      return <LatencyChip ms={reply.latency} />
  }
}

export function replyText(exchange: Exchange, now: number): string {
  const reply = replyState(exchange, now)
  switch (reply.state) {
    case 'none':
      return ''
    case 'waiting':
      return t('等待回复')
    case 'timeout':
      return t('超时')
    case 'refused':
      return [reply.reply?.method, resultOf(reply.reply ?? exchange).code].filter(Boolean).join(' ')
    case 'answered':
      return `${reply.reply.method} ${latencyText(reply.latency)}`
  }
}
