import type { HomePart, HomeSummary } from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type CSSProperties, lazy, type ReactNode, useCallback, useEffect, useState } from 'react'
import { useLivePolling } from '#api/live.ts'
import { useMemo } from '#language/use-memo.ts'
import { homeLayout, layoutStyle } from '../home-layout.ts'
import { LayoutContext } from '../layout-context.ts'
import { MapPanel } from '../map/map-panel.tsx'
import { AlarmPanel } from '../parts/alarm-panel.tsx'
import { AttentionPanel } from '../parts/attention-panel.tsx'
import '../parts/home.css'
import '../parts/home-panels.css'
import '../parts/home-lists.css'
import '../parts/home-map.css'
import '../parts/home-narrow.css'
import { useSearchParams } from 'react-router'
import { useStepsBegun } from '#blocks/first-steps/use-first-steps.ts'
import { isLayerOpen } from '#kit/open-layer.ts'
import { Dark } from '../parts/dark.tsx'
import { HomeHeader } from '../parts/home-header.tsx'
import { Loaded, Panel, Refused } from '../parts/panel.tsx'
import { Rings } from '../parts/rings.tsx'
import { RunningPanel } from '../parts/running-panel.tsx'
import { Totals } from '../parts/totals.tsx'
import { Trends } from '../parts/trends.tsx'
import { summaryQuery, useHomeLive } from '../queries.ts'
import { useSize } from '../use-size.ts'

const name = 'full'

/**
 * The screen without the console around it. It stands in the address (`?full=1`), so that a wall can be started with a
 * bookmark; the browser's own full screen, which needs a person's click, comes on top where it is allowed.
 */
function useFullScreen(): { full: boolean; toggle: () => void } {
  const [params, setParams] = useSearchParams()
  const full = params.get(name) === '1'
  const set = useCallback(
    (on: boolean) =>
      setParams(
        (before) => {
          if (on) before.set(name, '1')
          else before.delete(name)
          return before
        },
        { replace: true },
      ),
    [setParams],
  )
  const toggle = useCallback(() => {
    set(!full)
    // Refused in frames and kiosks: the screen fills the window all the same.
    if (!full) document.documentElement.requestFullscreen?.().catch(() => undefined)
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined)
  }, [full, set])

  useEffect(() => {
    if (!full) return
    const left = () => {
      if (!document.fullscreenElement) set(false)
    }
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isLayerOpen()) set(false)
    }
    document.addEventListener('fullscreenchange', left)
    document.addEventListener('keydown', pressed)
    return () => {
      document.removeEventListener('fullscreenchange', left)
      document.removeEventListener('keydown', pressed)
    }
  }, [full, set])

  // Whoever follows a figure to its list needs the browser's window again.
  useEffect(
    () => () => {
      if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined)
    },
    [],
  )
  return { full, toggle }
}

const nothing: ComponentType = () => null
/** The screen waits for it, so that nothing moves when it comes, and is whole without it. */
const FirstSteps = lazy<ComponentType>(async () => ({
  default: await import('#blocks/first-steps/first-steps.tsx').then(
    (loaded): ComponentType => loaded.FirstSteps,
    () => nothing,
  ),
}))

/** The newcomer's card. */
function HomeSteps() {
  if (!useStepsBegun()) return null
  return (
    <Dark>
      <div className="home-steps" data-theme="dark">
        <FirstSteps />
      </div>
    </Dark>
  )
}

/** The room that the shell leaves, before it was measured: the first picture is the right one. */
const roomBefore = () => ({
  width: document.getElementById('content')?.clientWidth ?? window.innerWidth,
  height: window.innerHeight - 56,
})

/** spec 2 /home, screens.md 2: the fleet on one screen, live. The most important column comes first for readers. */
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
        data-theme="dark"
        className={`home column home-${layout.mode} ${full ? 'home-full scroll' : ''}`}
        style={layoutStyle(layout) as CSSProperties}
      >
        <HomeHeader query={summary} hidden={hidden} full={full} onToggle={toggle} />
        <HomeSteps />
        <div className="home-columns grow grid min-0">
          <div className="home-middle column shrink">
            <div className="home-totals-room flex fixed">
              <Loaded query={summary} subject={t('设备总数')}>
                {({ totals, change }) =>
                  hidden.has('device') ? <Refused subject={t('设备')} /> : <Totals totals={totals} change={change} />
                }
              </Loaded>
            </div>
            <MapPanel summary={data} refused={hidden.has('device')} />
            <div className="home-pair grid">
              <Part title={t('运行中的任务')} className="home-running" summary={summary}>
                {({ running }) => <RunningPanel running={running} hidden={hidden} />}
              </Part>
              <AttentionPanel />
            </div>
          </div>
          <div className="home-right column shrink">
            <Part
              title={t('未处理告警')}
              className="home-alarms grow"
              summary={summary}
              refused={hidden.has('alarm') && t('告警')}
            >
              {({ alarms, timeZone }) => <AlarmPanel alarms={alarms} timeZone={timeZone} />}
            </Part>
          </div>
          <div className="home-left column shrink">
            <Part
              title={t('设备构成')}
              className="home-rings"
              summary={summary}
              refused={hidden.has('device') && t('设备')}
            >
              {({ byType, totals }) => <Rings byType={byType} totals={totals} />}
            </Part>
            <Trends summary={hidden.has('device') ? undefined : data} />
          </div>
        </div>
      </div>
    </LayoutContext>
  )
}

interface PartProps {
  title: string
  className: string
  summary: Parameters<typeof HomeHeader>[0]['query']
  /** What the role may not list. */
  refused?: string | false
  children: (data: HomeSummary) => ReactNode
}

/** A panel of the summary: its content draws the frame itself; until then, or when it may not be seen, the frame says so. */
function Part({ title, className, summary, refused = false, children }: PartProps) {
  if (summary.data && !refused) return children(summary.data)
  return (
    <Panel title={title} className={className}>
      {refused ? (
        <Refused subject={refused} />
      ) : (
        <Loaded query={summary} subject={title}>
          {() => null}
        </Loaded>
      )}
    </Panel>
  )
}
