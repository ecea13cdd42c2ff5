import type { ECharts } from 'echarts/core'

/** Less is a click with an unsteady hand. */
const shortest = 6

/** Dragging the mouse across the plot zooms to that part. @returns what ends it */
export function brushZoom(chart: ECharts, host: HTMLElement): () => void {
  const band = document.createElement('div')
  band.className = 'chart-brush'
  let begin: number | undefined
  const at = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top } = host.getBoundingClientRect()
    return [clientX - left, clientY - top]
  }
  const down = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || event.button !== 0 || !chart.containPixel('grid', at(event))) return
    begin = at(event)[0]
    host.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent) => {
    if (begin === undefined) return
    const [x] = at(event)
    band.style.left = `${Math.min(x, begin)}px`
    band.style.width = `${Math.abs(x - begin)}px`
    host.append(band)
  }
  const up = (event: PointerEvent) => {
    const [x] = at(event)
    const ends = [begin ?? x, x].toSorted((one, other) => one - other)
    begin = undefined
    band.remove()
    if ((ends[1] ?? 0) - (ends[0] ?? 0) < shortest) return
    const [startValue, endValue] = ends.map((pixel) => chart.convertFromPixel({ xAxisIndex: 0 }, pixel))
    chart.dispatchAction({ type: 'dataZoom', dataZoomIndex: 0, startValue, endValue })
  }
  const control = new AbortController()
  const { signal } = control
  host.addEventListener('pointerdown', down, { signal })
  host.addEventListener('pointermove', move, { signal })
  host.addEventListener('pointerup', up, { signal })
  return () => control.abort()
}
