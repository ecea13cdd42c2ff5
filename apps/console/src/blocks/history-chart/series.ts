/** Rows of the history as lines: grouped by device and property, gaps left open, with what sums them up. Pure. */
import type { ArgFunc, PropertyLogRow } from '@ithings/contract/features/history.ts'
import type { Define } from '@ithings/contract/thing-model/define.ts'
import { numberOf } from '#blocks/typed-value/value-text.ts'

export interface HistoryProperty {
  identifier: string
  name: string
  define: Define
}

export type Point = [time: number, value: number | null]

export interface HistoryStats {
  count: number
  min: number | null
  max: number | null
  avg: number | null
  last: number | null
}

export interface HistorySeries {
  key: string
  /** Names the line: the property, and the device where several are compared. */
  name: string
  deviceName: string
  property: HistoryProperty
  points: Point[]
  stats: HistoryStats
}

/** What is asked for beside the chosen statistic, so that the figures below the chart are those of the values. */
export const statFuncs = ['avg', 'min', 'max', 'count', 'last'] as const satisfies readonly ArgFunc[]

export interface SeriesInput {
  rows: readonly PropertyLogRow[]
  properties: readonly HistoryProperty[]
  deviceNames: readonly string[]
  /** 0: raw values. */
  interval: number
  func: ArgFunc
}

interface Sample {
  time: number
  value: number | null
  row: PropertyLogRow
}

/** With raw values a pause this many times longer than usual is a gap. */
const longPause = 10
const shortestPause = 60_000
/** Fewer values have no usual pause: they are drawn as the points that they are. */
const fewest = 4

/** The lower one of two in the middle. */
const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0

const usualPause = (times: readonly number[]): number =>
  middle(times.slice(1).map((time, index) => time - (times[index] ?? time)))

function gapOf(samples: readonly Sample[], interval: number): number {
  const usual = usualPause(samples.map(({ time }) => time))
  if (interval === 0) return Math.max(usual * longPause, shortestPause)
  if (samples.length < fewest) return interval * 1.5
  // One missing bucket is a gap where each holds several values; with one value each, a late one skips a bucket.
  const several = middle(samples.map(({ row }) => Number(row.values?.count ?? 1))) > 1
  return usual * (several ? 1.5 : 2.5)
}

/** How far apart the values of the line lie that has most of them; the others are held together by their own pauses. */
export function shortestUsualPause(rows: readonly PropertyLogRow[]): number {
  const lines = [...Map.groupBy(rows, ({ deviceName, dataID }) => seriesKey(deviceName, dataID)).values()]
  const pauses = lines
    .filter(({ length }) => length >= fewest)
    .map((line) => usualPause(line.map(({ timestamp }) => Number(timestamp)).toSorted((one, other) => one - other)))
  return least(pauses) ?? 0
}

/** look.md 15: gaps stay open. A null between two values breaks the line. */
function pointsOf(samples: readonly Sample[], interval: number): Point[] {
  const gap = gapOf(samples, interval)
  return samples.flatMap(({ time, value }, index): Point[] => {
    const before = samples[index - 1]
    const pause = before ? time - before.time : 0
    // As long as the pause before or after it, it is no gap: the device spoke more seldom there.
    const around = [
      before && before.time - (samples[index - 2]?.time ?? before.time),
      (samples[index + 1]?.time ?? time) - time,
    ]
    const broken = before !== undefined && pause > gap && around.every((other) => pause > (other ?? 0) * 1.5)
    return broken
      ? [
          [before.time + (time - before.time) / 2, null],
          [time, value],
        ]
      : [[time, value]]
  })
}

const finite = (values: readonly (number | null)[]): number[] =>
  values.filter((value): value is number => value !== null)

/** `Math.min(...list)` overflows the stack with the longest lists. */
const least = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((one, other) => Math.min(one, other))
const most = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((one, other) => Math.max(one, other))

function rawStats(samples: readonly Sample[]): HistoryStats {
  const values = finite(samples.map(({ value }) => value))
  return {
    count: samples.length,
    min: least(values),
    max: most(values),
    avg: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
    last: values.at(-1) ?? null,
  }
}

/** Buckets are put together: least of the least, and the average weighted by how many values each holds. */
function bucketStats(samples: readonly Sample[], define: Define): HistoryStats {
  const read = (func: (typeof statFuncs)[number]) =>
    samples.map(({ row }) => {
      const text = row.values?.[func] ?? ''
      return func === 'count' ? Number(text) || 0 : numberOf(define, text)
    })
  const counts = finite(read('count'))
  const count = counts.reduce((sum, one) => sum + one, 0)
  const averages = read('avg')
  const weighted = averages.reduce<number>((sum, avg, index) => sum + (avg ?? 0) * (counts[index] ?? 0), 0)
  return {
    count,
    min: least(finite(read('min'))),
    max: most(finite(read('max'))),
    avg: count > 0 && finite(averages).length > 0 ? weighted / count : null,
    last: finite(read('last')).at(-1) ?? null,
  }
}

const seriesKey = (deviceName: string, dataID: string): string => `${deviceName}/${dataID}`

export function buildSeries({ rows, properties, deviceNames, interval, func }: SeriesInput): HistorySeries[] {
  const grouped = Map.groupBy(rows, ({ deviceName, dataID }) => seriesKey(deviceName, dataID))
  return deviceNames.flatMap((deviceName) =>
    properties.map((property) => {
      const key = seriesKey(deviceName, property.identifier)
      const samples = (grouped.get(key) ?? [])
        .map((row): Sample => {
          const text = row.values?.[func] ?? row.value
          // A count is a number whatever is counted.
          const value = func === 'count' && interval > 0 ? Number(text) : numberOf(property.define, text)
          return { time: Number(row.timestamp), value, row }
        })
        .toSorted((one, other) => one.time - other.time)
      return {
        key,
        name: deviceNames.length > 1 ? `${property.name} · ${deviceName}` : property.name,
        deviceName,
        property,
        points: pointsOf(samples, interval),
        stats: interval > 0 ? bucketStats(samples, property.define) : rawStats(samples),
      }
    }),
  )
}
