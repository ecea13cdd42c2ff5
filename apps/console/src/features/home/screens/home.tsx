import type { HomePart } from '@ithings/contract/features/home.ts'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useMemo, useState } from 'react'
import { useLivePolling } from '#api/live.ts'
import { homeLayout, layoutStyle } from '../home-layout.ts'
import { LayoutContext } from '../layout-context.ts'
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
import { Loaded, Panel, Refused } from '../parts/panel.tsx'
import { Rings } from '../parts/rings.tsx'
import { RunningPanel } from '../parts/running-panel.tsx'
import { Totals } from '../parts/totals.tsx'
import { Trends } from '../parts/trends.tsx'
import { summaryQuery, useHomeLive } from '../queries.ts'
import { useFullScreen } from '../use-full-screen.ts'
import { useSize } from '../use-size.ts'

/** The room that the shell leaves, before it was measured: the first picture is the right one. */
const roomBefore = () => ({
  width: document.getElementById('content')?.clientWidth ?? window.innerWidth,
  height: window.innerHeight - 56,
})

/** spec 2 /home, screens.md 2, mockup 08: the fleet on one screen, live. The most important column comes first for readers. */
export function Home() {
  useHomeLive()
  const summary = useQuery({ ...summaryQuery, refetchInterval: useLivePolling() })
  const { full, toggle } = useFullScreen()
  const [host, size] = useSize<HTMLDivElement>()
  const [room] = useState(roomBefore)
  const layout = useMemo(() => homeLayout((size ?? room).width, (size ?? room).height), [size, room])
  const { data } = summary
  const hidden: ReadonlySet<HomePart> = useMemo(() => new Set(data?.hidden), [data])
  return (
    <LayoutContext value={layout}>
      <div
        ref={host}
        className={`home home-${layout.mode}${full ? ' home-full' : ''}`}
        style={layoutStyle(layout) as CSSProperties}
      >
        <HomeHeader query={summary} hidden={hidden} full={full} onToggle={toggle} />
        <HomeSteps />
        <div className="home-columns">
          <div className="home-middle">
            <div className="home-totals-room">
              <Loaded query={summary} subject="设备总数">
                {({ totals, change }) =>
                  hidden.has('device') ? <Refused subject="设备" /> : <Totals totals={totals} change={change} />
                }
              </Loaded>
            </div>
            <MapPanel summary={data} refused={hidden.has('device')} />
            <div className="home-pair">
              {data ? (
                <RunningPanel running={data.running} hidden={hidden} />
              ) : (
                <Waiting title="运行中的任务" summary={summary} className="home-running" />
              )}
              <AttentionPanel />
            </div>
          </div>
          <div className="home-right">
            {hidden.has('alarm') ? (
              <Panel title="未处理告警" className="home-alarms">
                <Refused subject="告警" />
              </Panel>
            ) : data ? (
              <AlarmPanel alarms={data.alarms} />
            ) : (
              <Waiting title="未处理告警" summary={summary} className="home-alarms" />
            )}
          </div>
          <div className="home-left">
            {hidden.has('device') ? (
              <Panel title="设备构成" className="home-rings">
                <Refused subject="设备" />
              </Panel>
            ) : data ? (
              <Rings byType={data.byType} totals={data.totals} />
            ) : (
              <Waiting title="设备构成" summary={summary} className="home-rings" />
            )}
            <Trends summary={hidden.has('device') ? undefined : data} />
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
