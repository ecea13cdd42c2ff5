import {
  type AttentionKind,
  type AttentionRow,
  attentionKinds,
  attentionLabels,
} from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useLivePolling } from '#api/live.ts'
import { numberText } from '#kit/number-text.ts'
import { formatTime } from '#kit/time.ts'
import { attentionWords, kindsOf, whyText } from '../attention-words.ts'
import { attentionPath } from '../paths.ts'
import { attentionQuery } from '../queries.ts'
import { useNow } from '../use-now.ts'
import { Dotted, Loaded, Nothing, Panel } from './panel.tsx'
import { WholeRows } from './whole-rows.tsx'

const name = 'attention'

interface AttentionChoice {
  /** Whose list is open. */
  kind: AttentionKind | undefined
  /** The same screen, as full as it is, with the list of this kind. */
  to: (kind: AttentionKind) => { search: string }
  choose: (kind: AttentionKind | undefined) => void
}

/** The open list stands in the address, so that it can be sent to somebody and the way back closes it. */
function useAttention(): AttentionChoice {
  const [params, setParams] = useSearchParams()
  const text = params.get(name)
  const withKind = (kind: AttentionKind | undefined) => {
    const next = new URLSearchParams(params)
    if (kind) next.set(name, kind)
    else next.delete(name)
    return next
  }
  return {
    kind: attentionKinds.find((one) => one === text),
    to: (kind) => ({ search: `?${withKind(kind)}` }),
    choose: (kind) => setParams(withKind(kind), { replace: true }),
  }
}

const AttentionDrawer = lazy(async () => ({ default: (await import('./attention-drawer.tsx')).AttentionDrawer }))

const minute = 60_000

function Row({ row, now }: { row: AttentionRow; now: number }) {
  return (
    <li>
      <Link to={attentionPath(row)}>
        <span className={`small home-attention-${row.kind}`}>{t(attentionLabels[row.kind])}</span>
        <span className="cut">{row.deviceAlias || row.deviceName}</span>
        <span className="cut quiet small" style={{ maxWidth: '16em' }} title={formatTime(row.since)}>
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
  const links = kinds.map((kind) => {
    return { key: kind, to: to(kind), text: `${t(attentionWords[kind])} ${numberText(counts?.[kind] ?? 0)}` }
  })
  // A device may be there for two reasons: these are not devices.
  const note = counts && (first ? <Link to={to(first)}>{t('{count, number} 项', { count: all })}</Link> : t('0 项'))
  return (
    <Panel title={t('需要关注')} note={note} side={<Dotted links={links} />} className="home-attention">
      <Loaded query={query} subject={t('需要关注的设备')}>
        {({ list }) =>
          list.length === 0 ? (
            <Nothing>{t('没有长期离线、升级失败或静默的设备')}</Nothing>
          ) : (
            <WholeRows className="home-attention-list" label={t('需要关注的设备')}>
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
