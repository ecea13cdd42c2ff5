import type { TrendKind } from '@ithings/contract/features/home.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { FillChart } from '../charts/fill-chart.tsx'
import { hasPoints, type Trend, trendOption } from '../charts/trend-option.ts'
import { useLayout } from '../layout-context.ts'
import { trendPace, trendQuery } from '../queries.ts'
import { Loaded, Nothing, Panel } from './panel.tsx'

interface TrendPanelProps {
  kind: Exclude<TrendKind, 'alarm'>
  title: string
  colour: string
  /** The figure now; undefined: not known yet. */
  value: string | undefined
  unit: string
  to: string
  facts: (trend: Trend | undefined) => ReactNode
}

function Curve({ kind, trend, title, colour }: { trend: Trend } & Pick<TrendPanelProps, 'kind' | 'title' | 'colour'>) {
  const { meta, scale } = useLayout()
  const online = kind === 'online'
  const option = useMemo(
    () => trendOption(trend, { colour, font: meta, scale, fromZero: !online, markLowest: online }),
    [trend, colour, meta, scale, online],
  )
  if (!hasPoints(trend)) return <Nothing>还没有数据，几分钟后开始绘制</Nothing>
  return <FillChart option={option} label={`${title}，近 24 小时，与昨日对比`} />
}

export function TrendPanel({ kind, title, colour, value, unit, to, facts }: TrendPanelProps) {
  const query = useQuery({ ...trendQuery(kind), refetchInterval: trendPace })
  const legend = (
    <span className="home-legend" aria-hidden="true">
      <i style={{ borderColor: colour }} /> 今日 <i className="home-legend-dashed" /> 昨日
    </span>
  )
  return (
    <Panel title={title} note="24 小时" side={legend} className="home-trend">
      <div className="home-trend-facts flex baseline fixed">
        <Link to={to} className="home-figure" aria-label={`${title} ${value ?? ''} ${unit}`}>
          <strong>{value ?? '—'}</strong> {unit}
        </Link>
        <span className="home-side flex wrap to-end">{facts(query.data)}</span>
      </div>
      <Loaded query={query} subject={title}>
        {(trend) => <Curve kind={kind} trend={trend} title={title} colour={colour} />}
      </Loaded>
    </Panel>
  )
}
