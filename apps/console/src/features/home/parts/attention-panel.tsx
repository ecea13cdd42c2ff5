import { type AttentionRow, attentionLabels } from '@ithings/contract/features/home.ts'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useLivePolling } from '#api/live.ts'
import { formatTime } from '#kit/time.ts'
import { attentionWords, kindsOf, whyText } from '../attention-words.ts'
import { figure } from '../figures.ts'
import { useLayout } from '../layout-context.ts'
import { attentionPath } from '../paths.ts'
import { attentionQuery } from '../queries.ts'
import { useAttention } from '../use-attention.ts'
import { useNow } from '../use-now.ts'
import { useSize } from '../use-size.ts'
import { Loaded, Nothing, Panel } from './panel.tsx'

const AttentionDrawer = lazy(async () => ({ default: (await import('./attention-drawer.tsx')).AttentionDrawer }))

const minute = 60_000
/** Of the size of texts. */
const leastRow = 1.95

function Row({ row, now }: { row: AttentionRow; now: number }) {
  return (
    <li>
      <Link to={attentionPath(row)}>
        <span className={`home-attention-${row.kind}`}>{attentionLabels[row.kind]}</span>
        <span className="home-attention-name">{row.deviceAlias || row.deviceName}</span>
        <span className="home-attention-why" title={formatTime(row.since)}>
          {whyText(row, now)}
        </span>
      </Link>
    </li>
  )
}

/** As many rows as fit whole, at least one; the others are scrolled to. */
function Rows({ list, now }: { list: readonly AttentionRow[]; now: number }) {
  const [host, size] = useSize<HTMLUListElement>()
  const { text, mode } = useLayout()
  const fit = Math.max(1, Math.floor((size?.height ?? 0) / (text * leastRow)))
  const height = mode === 'wide' && size && list.length > fit ? size.height / fit : undefined
  return (
    <ul
      ref={host}
      className="home-attention-list"
      style={{ '--home-row': height ? `${height}px` : 'auto' } as CSSProperties}
    >
      {list.map((row) => (
        <Row key={`${row.kind} ${row.productID} ${row.deviceName}`} row={row} now={now} />
      ))}
    </ul>
  )
}

export function AttentionPanel() {
  const query = useQuery({ ...attentionQuery, refetchInterval: useLivePolling() })
  const now = useNow(minute)
  const { kind: open, to, choose } = useAttention()
  // Fetched when somebody wants it; then it stays, to slide away.
  const [used, setUsed] = useState(false)
  if (open && !used) setUsed(true)
  const counts = query.data?.counts
  const kinds = kindsOf(counts)
  const [first] = kinds
  const all = kinds.reduce((sum, kind) => sum + (counts?.[kind] ?? 0), 0)
  const side = kinds.map((kind, index) => (
    <span key={kind}>
      <Link to={to(kind)}>
        {attentionWords[kind]} {figure(counts?.[kind] ?? 0)}
      </Link>
      {index < kinds.length - 1 && ' · '}
    </span>
  ))
  // A device may be there for two reasons: these are not devices.
  const note = counts && (first ? <Link to={to(first)}>{figure(all)} 项</Link> : '0 项')
  return (
    <Panel title="需要关注" note={note} side={side} className="home-attention">
      <Loaded query={query} subject="需要关注的设备">
        {({ list }) =>
          list.length === 0 ? <Nothing>没有长期离线、升级失败或静默的设备</Nothing> : <Rows list={list} now={now} />
        }
      </Loaded>
      {used && (
        <Suspense>
          <AttentionDrawer kind={open} counts={counts} onChoose={choose} />
        </Suspense>
      )}
    </Panel>
  )
}
