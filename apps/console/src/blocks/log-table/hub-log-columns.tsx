import { t } from '@ithings/contract/text.ts'
import { Copyable } from '#kit/copyable.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import type { Exchange } from './exchanges.ts'
import { actionText, Latency, latencyText, ReplyChip, ResultTag, replyText, WayMark, wayText } from './log-cells.tsx'
import { resultOf } from './result-view.ts'
import { reasonText } from './sessions.ts'
import { deviceColumn, timeColumn } from './shared-columns.tsx'

interface ColumnChoice {
  /** Logs of several devices say whose line it is. */
  device: boolean
  grouped: boolean
  /** Of the read, for replies that are still missing. */
  now: number
}

/** screens.md 6.5, 6.6, 19: one line of the hub log. */
export const hubLogColumns = ({ device, grouped, now }: ColumnChoice): ListColumn<Exchange>[] => [
  timeColumn<Exchange>(),
  ...(device ? [deviceColumn<Exchange>('meta')] : []),
  {
    key: 'action',
    title: t('类别'),
    phone: 'title',
    render: (_v, row) => (
      <span className="inline-row gap-8">
        <WayMark way={row.way} />
        {actionText(row.action)}
      </span>
    ),
    exportText: (row) => `${wayText(row.way)} ${actionText(row.action)}`,
  },
  {
    key: 'method',
    title: 'method',
    phone: 'meta',
    render: (_v, row) =>
      row.method ? <span className="mono">{row.method}</span> : <span className="no-value">—</span>,
    exportText: (row) => row.method,
  },
  {
    key: 'resultType',
    title: t('结果'),
    phone: 'status',
    render: (_v, row) => <ResultTag row={row} />,
    exportText: (row) => {
      const { ok, code, text } = resultOf(row)
      return ok ? t('成功') : `${code} ${text}`
    },
  },
  ...(grouped
    ? [
        {
          key: 'reply',
          title: t('回复'),
          phone: 'meta' as const,
          render: (_v: unknown, row: Exchange) => (
            <ReplyChip exchange={row} now={now} none={<span className="no-value">—</span>} />
          ),
          exportText: (row: Exchange) => replyText(row, now),
        },
      ]
    : []),
  {
    key: 'latency',
    title: t('耗时'),
    align: 'right',
    render: (_v, row) => <Latency ms={row.latency} />,
    exportText: (row) => (row.latency > 0 ? latencyText(row.latency) : ''),
  },
  {
    key: 'requestID',
    title: 'RequestID',
    render: (_v, row) => <Copyable text={row.requestID} maxWidth={160} />,
    exportText: (row) => row.requestID,
  },
  {
    key: 'content',
    title: t('内容'),
    phone: 'meta',
    render: (_v, row) => (
      <span className="mono-payload log-content clip" title={row.content.slice(0, 1000)}>
        {row.msg || (row.method === '' ? reasonText(row) : row.content)}
      </span>
    ),
    exportText: (row) => row.content,
  },
  {
    key: 'topic',
    title: 'Topic',
    hiddenAtFirst: true,
    render: (_v, row) => <Copyable text={row.topic} maxWidth={320} />,
    exportText: (row) => row.topic,
  },
]
