/** Mini trends of the cards: the last 24 hours in half hours (screens.md 6.2). Pure. */
import type { PropertyLogRow } from '@ithings/contract/features/history.ts'

export const trendHours = 24
export const trendInterval = 30 * 60_000
/** Keeps one answer far below the rows of a call: 48 points each. */
const batchSize = 20

/** Properties that came into view and were not asked for yet, a few a call. */
export function nextBatches(asked: readonly (readonly string[])[], visible: readonly string[]): string[][] {
  const known = new Set(asked.flat())
  const fresh = visible.filter((identifier) => !known.has(identifier))
  const batches: string[][] = []
  for (let at = 0; at < fresh.length; at += batchSize) batches.push(fresh.slice(at, at + batchSize))
  return batches
}

export type Trend = readonly (readonly [time: number, value: number])[]

export function trendsOf(rows: readonly PropertyLogRow[]): Map<string, Trend> {
  const trends = new Map<string, [number, number][]>()
  for (const { dataID, timestamp, value } of rows) {
    const number = Number(value)
    if (value === '' || !Number.isFinite(number)) continue
    const trend = trends.get(dataID) ?? []
    trend.push([Number(timestamp), number])
    trends.set(dataID, trend)
  }
  for (const trend of trends.values()) trend.sort(([one], [other]) => one - other)
  return trends
}

/** An SVG path over 24 hours that end now; a missing half hour leaves it open. */
export function sparkPath(trend: Trend, size: { width: number; height: number }, now: number): string {
  const from = now - trendHours * 3_600_000
  const values = trend.map(([, value]) => value)
  const low = Math.min(...values)
  const high = Math.max(...values)
  // A flat line runs through the middle.
  const y = (value: number) =>
    high === low ? size.height / 2 : size.height - ((value - low) / (high - low)) * size.height
  const x = (time: number) => Math.min(1, Math.max(0, (time - from) / (now - from))) * size.width
  let before = Number.NEGATIVE_INFINITY
  return trend
    .map(([time, value]) => {
      const move = time - before > trendInterval * 1.5
      before = time
      return `${move ? 'M' : 'L'}${x(time).toFixed(1)} ${y(value).toFixed(1)}`
    })
    .join('')
}
