/** What the buttons beside a chart do to the part that is looked at. Pure. */
import type { ChartZoom } from '#kit/chart-props.ts'

/** Shares of the whole; less has no points any more. */
const narrowest = 1

const within = (start: number, width: number): ChartZoom => {
  const from = Math.min(Math.max(0, start), 100 - width)
  return { start: from, end: from + width }
}
const wide = ({ start, end }: ChartZoom, width: number): ChartZoom => within((start + end - width) / 2, width)
const moved = ({ start, end }: ChartZoom, share: number): ChartZoom =>
  within(start + (end - start) * share, end - start)

export const zoomSteps = {
  back: (now: ChartZoom) => moved(now, -0.5),
  on: (now: ChartZoom) => moved(now, 0.5),
  in: (now: ChartZoom) => wide(now, Math.max(narrowest, (now.end - now.start) / 2)),
  out: (now: ChartZoom) => wide(now, Math.min(100, (now.end - now.start) * 2)),
  all: () => ({ start: 0, end: 100 }),
}
