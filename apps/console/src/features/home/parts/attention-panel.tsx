import { type AttentionRow, attentionKinds, attentionLabels } from '@ithings/contract/features/home.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useLivePolling } from '#api/live.ts'
import { formatTime } from '#kit/time.ts'
import { durationText, figure } from '../figures.ts'
import { attentionPath, attentionPaths } from '../paths.ts'
import { attentionQuery } from '../queries.ts'
import { useNow } from '../use-now.ts'
import { Loaded, Nothing, Panel } from './panel.tsx'

const kindWords = { offline: '离线超 24 小时', upgrade: '升级失败', silent: '静默', config: '配置未送达' } as const
const minute = 60_000

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

export function AttentionPanel() {
  const query = useQuery({ ...attentionQuery, refetchInterval: useLivePolling() })
  const now = useNow(minute)
  const counts = query.data?.counts
  const kinds = attentionKinds.filter((kind) => (counts?.[kind] ?? 0) > 0)
  const all = kinds.reduce((sum, kind) => sum + (counts?.[kind] ?? 0), 0)
  const side = kinds.map((kind, index) => (
    <span key={kind}>
      {index > 0 && ' · '}
      <Link to={attentionPaths[kind]}>
        {kindWords[kind]} {figure(counts?.[kind] ?? 0)}
      </Link>
    </span>
  ))
  return (
    <Panel title="需要关注" note={counts && `${figure(all)} 台`} side={side} className="home-attention">
      <Loaded query={query} subject="需要关注的设备">
        {({ list }) =>
          list.length === 0 ? (
            <Nothing>没有长期离线、升级失败或静默的设备</Nothing>
          ) : (
            <ul className="home-attention-list">
              {list.map((row) => (
                <Row key={`${row.kind} ${row.productID} ${row.deviceName}`} row={row} now={now} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}
