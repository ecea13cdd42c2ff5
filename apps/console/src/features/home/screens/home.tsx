import type { HomeSummary } from '@ithings/contract/features/home.ts'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useMemo } from 'react'
import { Link } from 'react-router'
import { useLivePolling } from '#api/live.ts'
import { lastPoint, type Trend } from '../charts/trend-option.ts'
import { figure, rateText, shortFigure } from '../figures.ts'
import { homeLayout, layoutStyle } from '../home-layout.ts'
import { LayoutContext } from '../layout-context.ts'
import { look } from '../look.ts'
import { MapPanel } from '../map/map-panel.tsx'
import { AlarmPanel } from '../parts/alarm-panel.tsx'
import { AttentionPanel } from '../parts/attention-panel.tsx'
import '../parts/home.css'
import '../parts/home-panels.css'
import '../parts/home-figures.css'
import '../parts/home-alarms.css'
import '../parts/home-work.css'
import '../parts/home-map.css'
import '../parts/home-map-aside.css'
// Last: it overrides the others where there is little room.
import '../parts/home-narrow.css'
import { HomeHeader } from '../parts/home-header.tsx'
import { HomeSteps } from '../parts/home-steps.tsx'
import { Loaded, Panel } from '../parts/panel.tsx'
import { Rings } from '../parts/rings.tsx'
import { RunningPanel } from '../parts/running-panel.tsx'
import { Totals } from '../parts/totals.tsx'
import { TrendPanel } from '../parts/trend-panel.tsx'
import { devicesPath, messagesPath } from '../paths.ts'
import { summaryQuery, useHomeLive } from '../queries.ts'
import { useFullScreen } from '../use-full-screen.ts'
import { usePeak } from '../use-peak.ts'
import { useSize } from '../use-size.ts'

const onlineFacts = (peak: number) => (trend: Trend | undefined) => {
  const before = trend && lastPoint(trend)?.before
  return (
    <>
      {trend && (
        <span>
          最高 <b>{figure(Math.max(trend.highest, peak))}</b>
        </span>
      )}
      {typeof before === 'number' && (
        <span>
          昨日此时 <b>{figure(before)}</b>
        </span>
      )}
    </>
  )
}

const messageFacts = (peak: number, today: number | undefined) => (trend: Trend | undefined) => (
  <>
    {trend && (
      <span>
        峰值 <b>{rateText(Math.max(trend.highest, peak))}</b>
      </span>
    )}
    {today !== undefined && (
      <span>
        <Link to={messagesPath}>
          今日累计 <b>{shortFigure(today)}</b>
        </Link>
      </span>
    )}
  </>
)

function Trends({ summary }: { summary: HomeSummary | undefined }) {
  const online = usePeak(summary?.totals.online)
  const rate = usePeak(summary?.messages.perSecond)
  return (
    <>
      <TrendPanel
        kind="online"
        title="在线设备"
        colour={look.accent}
        value={summary && figure(summary.totals.online)}
        unit="台"
        to={devicesPath({ state: 'online' })}
        facts={onlineFacts(online)}
      />
      <TrendPanel
        kind="message"
        title="消息速率"
        colour={look.teal}
        value={summary && rateText(summary.messages.perSecond)}
        unit="条/秒"
        to={messagesPath}
        facts={messageFacts(rate, summary?.messages.today)}
      />
    </>
  )
}

/** spec 2 /home, screens.md 2, mockup 08: the fleet on one screen, live. The most important column comes first for readers. */
export function Home() {
  useHomeLive()
  const summary = useQuery({ ...summaryQuery, refetchInterval: useLivePolling() })
  const { full, toggle } = useFullScreen()
  const [host, size] = useSize<HTMLDivElement>()
  const layout = useMemo(() => homeLayout(size?.width ?? 1440, size?.height ?? 900), [size])
  const { data } = summary
  return (
    <LayoutContext value={layout}>
      <div
        ref={host}
        className={`home home-${layout.mode}${full ? ' home-full' : ''}`}
        style={layoutStyle(layout) as CSSProperties}
      >
        <HomeHeader query={summary} full={full} onToggle={toggle} />
        <HomeSteps />
        <div className="home-columns">
          <div className="home-middle">
            <div className="home-totals-room">
              <Loaded query={summary} subject="设备总数">
                {({ totals, change }) => <Totals totals={totals} change={change} />}
              </Loaded>
            </div>
            <MapPanel summary={data} />
            <div className="home-pair">
              {data ? (
                <RunningPanel running={data.running} />
              ) : (
                <Waiting title="运行中的任务" summary={summary} className="home-running" />
              )}
              <AttentionPanel />
            </div>
          </div>
          <div className="home-right">
            {data ? (
              <AlarmPanel alarms={data.alarms} />
            ) : (
              <Waiting title="未处理告警" summary={summary} className="home-alarms" />
            )}
          </div>
          <div className="home-left">
            {data ? (
              <Rings byType={data.byType} totals={data.totals} />
            ) : (
              <Waiting title="设备构成" summary={summary} className="home-rings" />
            )}
            <Trends summary={data} />
          </div>
        </div>
      </div>
    </LayoutContext>
  )
}

interface WaitingProps {
  title: string
  summary: Parameters<typeof HomeHeader>[0]['query']
  className: string
}

const Waiting = ({ title, summary, className }: WaitingProps) => (
  <Panel title={title} className={className}>
    <Loaded query={summary} subject={title}>
      {() => null}
    </Loaded>
  </Panel>
)
