/** From stored values to what a selector means at each step: the newest one, or those of a stretch of time. */
import type { Anchor, Selector, Subquery } from './ast.ts'
import type { Pace } from './pace.ts'
import { emptySeries, type Grid, put, type Samples, type Series, timeAt } from './values.ts'

/** The range of the query itself, which `@ start()` and `@ end()` mean; ms. */
export interface Bounds {
  start: number
  end: number
}

export const anchorTime = (at: Anchor, bounds: Bounds): number => (typeof at === 'number' ? at : bounds[at])

/** Of a subquery that says none, as Prometheus has it by default; ms. */
export const usualStep = 60_000

/** The moment that a selector looks at in step `i`. */
export const momentOf = ({ at, offset }: Pick<Selector | Subquery, 'at' | 'offset'>, grid: Grid, bounds: Bounds) => {
  const anchor = at === undefined ? undefined : anchorTime(at, bounds)
  return (i: number): number => (anchor ?? timeAt(grid, i)) - offset
}

/** Index of the first one later than `time`. */
function firstAfter(times: Float64Array, time: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) <= time) low = middle + 1
    else high = middle
  }
  return low
}

/** @param pick the value, or its time */
export async function newestAt(
  list: Samples[],
  selector: Selector,
  grid: Grid,
  context: { bounds: Bounds; lookback: number; pace: Pace },
  pick: 'values' | 'times' = 'values',
): Promise<Series[]> {
  const { bounds, lookback, pace } = context
  const moment = momentOf(selector, grid, bounds)
  pace.refusePoints(list.length, grid.count)
  const found: Series[] = []
  for (const { labels, times, values } of list) {
    const series = emptySeries(labels, grid.count)
    for (let i = 0; i < grid.count; i++) {
      const at = moment(i)
      const newest = firstAfter(times, at) - 1
      // A value that is exactly as old as the limit is too old, as in Prometheus 3.
      if (newest < 0 || (times[newest] as number) <= at - lookback) continue
      put(series, i, pick === 'values' ? (values[newest] as number) : (times[newest] as number) / 1000)
    }
    if (series.has.includes(1)) found.push(series)
    if (pace.due(grid.count * 8)) await pace.rest()
  }
  return found
}

/** Values of one series in one step: those of (start, end]. */
export interface Window {
  times: Float64Array
  values: Float64Array
  /** ms */
  start: number
  end: number
  /** The step itself. */
  now: number
}

/** @param evaluate undefined: there is no result in this step */
export async function overWindows(
  list: Samples[],
  range: { range: number } & Pick<Selector | Subquery, 'at' | 'offset'>,
  grid: Grid,
  context: { bounds: Bounds; pace: Pace },
  evaluate: (window: Window, step: number) => number | undefined,
): Promise<Series[]> {
  const { bounds, pace } = context
  const moment = momentOf(range, grid, bounds)
  pace.refusePoints(list.length, grid.count)
  const found: Series[] = []
  for (const { labels, times, values } of list) {
    const series = emptySeries(labels, grid.count)
    for (let i = 0; i < grid.count; i++) {
      const end = moment(i)
      const start = end - range.range
      const [first, after] = [firstAfter(times, start), firstAfter(times, end)]
      if (pace.due(8 + after - first)) await pace.rest()
      if (after <= first) continue
      const window = { times: times.subarray(first, after), values: values.subarray(first, after), start, end }
      const value = evaluate({ ...window, now: timeAt(grid, i) }, i)
      if (value !== undefined) put(series, i, value)
    }
    found.push(series)
  }
  return found
}
