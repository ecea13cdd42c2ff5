import type { ECharts } from 'echarts/core'

/** Less is a click with an unsteady hand, or a tap with a broad finger. */
const shortest = ({ pointerType }: PointerEvent): number => (pointerType === 'mouse' ? 6 : 20)

/** Dragging across the plot, with the mouse or one finger, zooms to that part. @returns what ends it */
export function brushZoom(chart: ECharts, host: HTMLElement): () => void {
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
