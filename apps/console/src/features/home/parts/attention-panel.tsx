import { type AttentionRow, attentionLabels } from '@ithings/contract/features/home.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useLivePolling } from '#api/live.ts'
import { formatTime } from '#kit/time.ts'
import { attentionWords, kindsOf, whyText } from '../attention-words.ts'
import { figure } from '../figures.ts'
import { attentionPath } from '../paths.ts'
import { attentionQuery } from '../queries.ts'
import { useAttention } from '../use-attention.ts'
import { useNow } from '../use-now.ts'
import { Loaded, Nothing, Panel } from './panel.tsx'
import { WholeRows } from './whole-rows.tsx'

const AttentionDrawer = lazy(async () => ({ default: (await import('./attention-drawer.tsx')).AttentionDrawer }))

const minute = 60_000

function Row({ row, now }: { row: AttentionRow; now: number }) {
  return (
    <li>
      <Link to={attentionPath(row)}>
        <span className={`home-attention-${row.kind}`}>{attentionLabels[row.kind]}</span>
        <span className="cut">{row.deviceAlias || row.deviceName}</span>
        <span className="home-attention-why cut" title={formatTime(row.since)}>
          {whyText(row, now)}
        </span>
      </Link>
    </li>
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
          list.length === 0 ? (
            <Nothing>没有长期离线、升级失败或静默的设备</Nothing>
          ) : (
            <WholeRows className="home-attention-list" label="需要关注的设备">
              {list.map((row) => (
                <Row key={`${row.kind} ${row.productID} ${row.deviceName}`} row={row} now={now} />
              ))}
            </WholeRows>
          )
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
