import { LineChart } from 'echarts/charts'
import { DataZoomComponent, GridComponent, MarkAreaComponent, MarkLineComponent } from 'echarts/components'
import { connect, type ECharts } from 'echarts/core'
import { useEffect, useImperativeHandle, useRef } from 'react'
import { init, use } from './chart-core.ts'
import type { ChartProps, ChartZoom } from './chart-props.ts'
import { usePreferences } from './preferences.tsx'

/** Less is a click with an unsteady hand, or a tap with a broad finger. */
const shortest = ({ pointerType }: PointerEvent): number => (pointerType === 'mouse' ? 6 : 20)

/** Dragging across the plot, with the mouse or one finger, zooms to that part. @returns what ends it */
function brushZoom(chart: ECharts, host: HTMLElement): () => void {
  const band = document.createElement('div')
  band.className = 'chart-brush'
  let begin: number | undefined
  const at = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top } = host.getBoundingClientRect()
    return [clientX - left, clientY - top]
  }
  const drop = () => {
    begin = undefined
    band.remove()
  }
  const down = (event: PointerEvent) => {
    drop()
    // Two fingers zoom by themselves.
    if (event.isPrimary && event.button === 0 && chart.containPixel('grid', at(event))) begin = at(event)[0]
  }
  const move = (event: PointerEvent) => {
    const [x] = at(event)
    if (begin === undefined || !event.isPrimary || Math.abs(x - begin) < shortest(event)) return band.remove()
    // Not before: what is captured is no click on the picture any more.
    host.setPointerCapture(event.pointerId)
    band.style.left = `${Math.min(x, begin)}px`
    band.style.width = `${Math.abs(x - begin)}px`
    host.append(band)
  }
  const up = (event: PointerEvent) => {
    if (!event.isPrimary) return
    const [x] = at(event)
    const ends = [begin ?? x, x].toSorted((one, other) => one - other)
    drop()
    if ((ends[1] ?? 0) - (ends[0] ?? 0) < shortest(event)) return
    const [startValue, endValue] = ends.map((pixel) => chart.convertFromPixel({ xAxisIndex: 0 }, pixel))
    chart.dispatchAction({ type: 'dataZoom', dataZoomIndex: 0, startValue, endValue })
  }
  // Up and down a finger scrolls the page, and the browser then takes the pointer away.
  host.style.touchAction = 'pan-y'
  const control = new AbortController()
  const { signal } = control
  host.addEventListener('pointerdown', down, { signal })
  host.addEventListener('pointermove', move, { signal })
  host.addEventListener('pointerup', up, { signal })
  host.addEventListener('pointercancel', drop, { signal })
  return () => control.abort()
}

// What lines need; chart-bars.ts has the rest.
use([DataZoomComponent, GridComponent, LineChart, MarkAreaComponent, MarkLineComponent])

/** A chart lives with one theme and one group: another of them makes a new one. */
export function ChartCanvas(props: ChartProps) {
  const { dark } = usePreferences()
  return <Picture key={`${dark} ${props.group ?? ''}`} {...props} dark={dark} />
}

function Picture({ option, label, group, onClick, onZoom, zoomer, dark }: ChartProps & { dark: boolean }) {
  const host = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts>(null)
  const clicked = useRef(onClick)
  clicked.current = onClick
  const zoomed = useRef(onZoom)
  zoomed.current = onZoom

  useEffect(() => {
    const node = host.current
    if (!node) return
    const made = init(node, dark ? 'calm-dark' : 'calm-light')
    chart.current = made
    made.on('click', (params) => {
      const { seriesName, dataIndex, name, value } = params as unknown as Parameters<
        NonNullable<ChartProps['onClick']>
      >[0]
      clicked.current?.({ dataIndex, name, value, ...(seriesName !== undefined && { seriesName }) })
    })
    made.on('datazoom', (event) => {
      // The wheel tells it in a batch, the slider by itself.
      const { batch, ...own } = event as Zoom & { batch?: Zoom[] }
      const told = batch?.[0] ?? own
      // What was zoomed to by values says no shares.
      const { start, end } = told.start === undefined ? (zoomsOf(made)[0] ?? {}) : told
      if (start !== undefined && end !== undefined) zoomed.current?.({ start, end })
    })
    if (group) {
      made.group = group
      connect(group)
    }
    const watch = new ResizeObserver(() => made.resize())
    watch.observe(node)
    const unbrush = zoomed.current && brushZoom(made, node)
    return () => {
      unbrush?.()
      watch.disconnect()
      made.dispose()
      chart.current = null
    }
  }, [dark, group])

  useEffect(() => {
    const made = chart.current
    made?.setOption(withZoomOf(made, { animation: !isCalm(), ...option }), { notMerge: true })
  }, [option])

  useImperativeHandle(zoomer, () => (change) => {
    const made = chart.current
    if (!made) return
    const { start = 0, end = 100 } = zoomsOf(made)[0] ?? {}
    made.dispatchAction({ type: 'dataZoom', dataZoomIndex: 0, ...change({ start, end }) })
  })

  return <div ref={host} className="chart-canvas" role="img" aria-label={label} />
}

type Zoom = Partial<ChartZoom>

const zoomsOf = (chart: ECharts): Zoom[] => (chart.getOption() as { dataZoom?: Zoom[] } | undefined)?.dataZoom ?? []

/** A refresh must not throw away what somebody zoomed to; another picture is another chart (by its key). */
function withZoomOf(chart: ECharts, option: ChartProps['option']): ChartProps['option'] {
  const before = zoomsOf(chart)
  const wanted = option.dataZoom
  if (!Array.isArray(wanted) || wanted.length !== before.length) return option
  const dataZoom = (wanted as object[]).map((zoom, index) => {
    const { start, end } = before[index] ?? {}
    return { ...zoom, ...(start !== undefined && { start }), ...(end !== undefined && { end }) }
  })
  return { ...option, dataZoom }
}

const isCalm = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches
