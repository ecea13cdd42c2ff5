/** Ends per span of time as bars, without gaps. Pure. */
import { otaTrendSeconds } from '@ithings/contract/features/ota/task.ts'

export interface TrendBar {
  /** Seconds. */
  time: number
  success: number
  failed: number
}

/** As many as can be told apart beside the table: four hours. */
export const mostBars = 24
/** One bar alone would say nothing about time. */
const fewestBars = 5

/** The newest spans up to `until` (seconds), those without an end as zero. */
export function trendBars(trend: readonly TrendBar[], until: number): TrendBar[] {
  const first = trend[0]
  if (!first) return []
  const last = Math.max(Math.floor(until / otaTrendSeconds) * otaTrendSeconds, trend.at(-1)?.time ?? 0)
  const spans = (last - first.time) / otaTrendSeconds + 1
  const shown = Math.min(mostBars, Math.max(fewestBars, spans))
  const known = new Map(trend.map((bar) => [bar.time, bar]))
  return Array.from({ length: shown }, (_, i) => {
    const time = last - (shown - 1 - i) * otaTrendSeconds
    return known.get(time) ?? { time, success: 0, failed: 0 }
  })
}
