import { type AttentionRow, attentionKinds, attentionLabels } from '@ithings/contract/features/home.ts'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import { useLivePolling } from '#api/live.ts'
import { formatTime } from '#kit/time.ts'
import { durationText, figure } from '../figures.ts'
import { useLayout } from '../layout-context.ts'
import { attentionPath, attentionPaths } from '../paths.ts'
import { attentionQuery } from '../queries.ts'
import { useNow } from '../use-now.ts'
import { useSize } from '../use-size.ts'
import { Loaded, Nothing, Panel } from './panel.tsx'

const kindWords = { offline: '离线超 24 小时', upgrade: '升级失败', silent: '静默', config: '配置未送达' } as const
const minute = 60_000
/** Of the size of texts. */
const leastRow = 1.95

function Row({ row, now }: { row: AttentionRow; now: number }) {
  const lasting = durationText((now - row.since) / 1000)
  return (
    <li>
      <Link to={attentionPath(row)}>
        <span className={`home-attention-${row.kind}`}>{attentionLabels[row.kind]}</span>
        <span className="home-attention-name">{row.deviceAlias || row.deviceName}</span>
        <span className="home-attention-why" title={formatTime(row.since)}>
          {row.text || (row.kind === 'silent' ? `${lasting}无数据` : lasting)}
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
  const counts = query.data?.counts
  const kinds = attentionKinds.filter((kind) => (counts?.[kind] ?? 0) > 0)
  const all = kinds.reduce((sum, kind) => sum + (counts?.[kind] ?? 0), 0)
  const side = kinds.map((kind, index) => (
    <span key={kind}>
      <Link to={attentionPaths[kind]}>
        {kindWords[kind]} {figure(counts?.[kind] ?? 0)}
      </Link>
      {index < kinds.length - 1 && ' · '}
    </span>
  ))
  return (
    <Panel title="需要关注" note={counts && `${figure(all)} 台`} side={side} className="home-attention">
      <Loaded query={query} subject="需要关注的设备">
        {({ list }) =>
          list.length === 0 ? <Nothing>没有长期离线、升级失败或静默的设备</Nothing> : <Rows list={list} now={now} />
        }
      </Loaded>
    </Panel>
  )
}
