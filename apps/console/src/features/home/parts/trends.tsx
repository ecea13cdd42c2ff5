import { type HomeSummary, readHomeTrend, type TrendKind } from '@ithings/contract/features/home.ts'
import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import { ChartExport } from '#kit/chart-export.tsx'
import { numberText } from '#kit/number-text.ts'
import { paths } from '#kit/paths.ts'
import { useMemo } from '#language/use-memo.ts'
import { FillChart } from '../charts/fill-chart.tsx'
import { hasPoints, lastPoint, type Trend, trendOption } from '../charts/trend-option.ts'
import { type Peak, peakOf, rateText, shortFigure, todayWord } from '../figures.ts'
import { useLayout } from '../layout-context.ts'
import { look } from '../look.ts'
import { devicesPath } from '../paths.ts'
import { trendBody, trendPace, trendQuery } from '../queries.ts'
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
  if (!hasPoints(trend)) return <Nothing>{t('还没有数据，几分钟后开始绘制')}</Nothing>
  return <FillChart option={option} label={t('{title}，近 24 小时，与昨日对比', { title })} />
}

const columnsOf = (title: string) => (): ExportColumn[] => [
  { key: 'at', head: t('时间'), type: 'time' },
  { key: 'value', head: title, type: 'number' },
  { key: 'before', head: t('昨日'), type: 'number' },
]

function TrendPanel({ kind, title, colour, value, unit, to, facts }: TrendPanelProps) {
  const query = useQuery({ ...trendQuery(kind), refetchInterval: trendPace })
  const legend = (
    <>
      <span className="home-legend" aria-hidden="true">
        <i style={{ borderColor: colour }} /> {t('今日')} <i className="home-legend-dashed" /> {t('昨日')}
      </span>
      <ChartExport
        title={title}
        columns={columnsOf(title)}
        rows="points"
        source={{ path: readHomeTrend.path, bodies: [trendBody(kind)] }}
      />
    </>
  )
  return (
    <Panel title={title} note={t('24 小时')} side={legend} className="home-trend">
      <div className="home-trend-facts flex baseline fixed">
        <Link to={to} className="home-figure fixed small" aria-label={`${title} ${value ?? ''} ${unit}`}>
          <strong className="bold">{value ?? '—'}</strong> {unit}
        </Link>
        <span className="home-side at-end end flex wrap to-end softer small">{facts(query.data)}</span>
      </div>
      <Loaded query={query} subject={title}>
        {(trend) => <Curve kind={kind} trend={trend} title={title} colour={colour} />}
      </Loaded>
    </Panel>
  )
}

/**
 * The highest present value that this screen has shown in a day. Curves hold averages of minutes: a highest value below
 * the figure beside it would be a contradiction, and so would one that falls again.
 */
function usePeak(present: number | undefined): number {
  const seen = useRef<Peak>({ value: 0, at: 0 })
  if (present !== undefined) seen.current = peakOf(seen.current, present, Date.now())
  return seen.current.value
}

const onlineFacts = (peak: number) => (trend: Trend | undefined) => {
  const before = trend && lastPoint(trend)?.before
  return (
    <>
      {trend && (
        <span>
          {t('最高')} <b>{numberText(Math.max(trend.highest, peak))}</b>
        </span>
      )}
      {typeof before === 'number' && (
        <span>
          {t('昨日此时')} <b>{numberText(before)}</b>
        </span>
      )}
    </>
  )
}

const messageFacts = (peak: number, summary: HomeSummary | undefined) => (trend: Trend | undefined) => (
  <>
    {trend && (
      <span>
        {t('峰值')} <b>{rateText(Math.max(trend.highest, peak))}</b>
      </span>
    )}
    {summary && (
      <span>
        <Link to={paths.logService}>
          {t('{day}累计', { day: todayWord(summary.timeZone) })} <b>{shortFigure(summary.messages.today)}</b>
        </Link>
      </span>
    )}
  </>
)

export function Trends({ summary }: { summary: HomeSummary | undefined }) {
  const online = usePeak(summary?.totals.online)
  const rate = usePeak(summary?.messages.perSecond)
  return (
    <>
      <TrendPanel
        kind="online"
        title={t('在线设备')}
        colour={look.accent}
        value={summary && numberText(summary.totals.online)}
        unit={t('台')}
        to={devicesPath({ state: 'online' })}
        facts={onlineFacts(online)}
      />
      <TrendPanel
        kind="message"
        title={t('消息速率')}
        colour={look.teal}
        value={summary && rateText(summary.messages.perSecond)}
        unit={t('条/秒')}
        to={paths.logService}
        facts={messageFacts(rate, summary)}
      />
    </>
  )
}
