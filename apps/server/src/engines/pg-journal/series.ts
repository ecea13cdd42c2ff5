/** The history port: packed days and the hot part of the journal, joined by device time; the later receipt wins. */
import { dayMs } from '@ithings/contract/durations.ts'
import type pg from 'pg'
import type { Bucket, BucketQuery, History, SeriesKey, SeriesRange, TimedValue } from '#ports/history.ts'
import { TooMuchHistory } from '#ports/history.ts'
import { Aggregator } from './aggregate.ts'
import { makeBucketClock } from './bucket-clock.ts'
import { fillBuckets } from './fill.ts'
import { type HotValues, readHot, shapeOf } from './hot-rows.ts'
import { countDays, type DayCount, type PackedDay, readDays } from './packed-rows.ts'
import { lastBefore, replay } from './replay.ts'
import { inSnapshot } from './snapshot.ts'

/** Values that one call may look at. */
const maxValues = 5_000_000
const maxBuckets = 100_000
/** Values that are fetched and walked through without giving others a turn. */
const valuesAtOnce = 100_000

interface DayValues {
  times: ArrayLike<number>
  value(index: number): unknown
  number(index: number): number
}

const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : Number.NaN

/** Booleans are packed as 0 and 1. */
const unpacker = (shape: SeriesKey['shape']) =>
  shape === 'boolean' ? (number: number) => number === 1 : (number: number) => number

function packedValues({ times, nums, vals }: PackedDay, shape: SeriesKey['shape']): DayValues {
  if (nums) {
    const value = unpacker(shape)
    return {
      times,
      value: (i) => value(nums[i] as number),
      number: (i) => nums[i] as number,
    }
  }
  const kept = vals.flatMap((value, i) => (shapeOf(value) === shape ? [i] : []))
  return { times: kept.map((i) => times[i] as number), value: (i) => vals[kept[i] as number], number: () => Number.NaN }
}

/** One day of one series, rising times, hot values in the place of packed ones. */
function dayValues(
  packed: PackedDay | undefined,
  hot: Map<number, unknown> | undefined,
  shape: SeriesKey['shape'],
): DayValues {
  const base = packed && packedValues(packed, shape)
  if (!hot) return base ?? { times: [], value: () => undefined, number: () => Number.NaN }
  const merged = new Map<number, unknown>()
  if (base) for (let i = 0; i < base.times.length; i++) merged.set(base.times[i] as number, base.value(i))
  for (const [time, value] of hot) merged.set(time, value)
  const pairs = [...merged].sort((a, b) => a[0] - b[0])
  return {
    times: pairs.map(([time]) => time),
    value: (i) => pairs[i]?.[1],
    number: (i) => numberOf(pairs[i]?.[1]),
  }
}

const firstDay = (from: number) => Math.floor(from / dayMs)
const lastDay = (to: number) => Math.floor((to - 1) / dayMs)

/** Days with something in them, rising, with how many values. */
function daysOf(counts: DayCount[], hot: HotValues): Map<number, number> {
  const days = new Map<number, number>()
  const add = (day: number, count: number) => days.set(day, (days.get(day) ?? 0) + count)
  for (const { day, count } of counts) add(day, count)
  for (const byDay of hot.values()) for (const [day, times] of byDay) add(day, times.size)
  return new Map([...days].sort((a, b) => a[0] - b[0]))
}

const refuseTooMany = (values: number) => {
  if (values > maxValues) throw new TooMuchHistory(`${values} values`)
}

/** The values of one day of all series within the range, by time, equal times in the order of the series. */
function rowsOfDay(day: number, packed: PackedDay[], hot: HotValues, { series, from, to }: SeriesRange): TimedValue[] {
  const rows: TimedValue[] = []
  const packs = new Map(packed.map((one) => [one.series, one]))
  for (const [index, key] of series.entries()) {
    const values = dayValues(packs.get(index), hot.get(index)?.get(day), key.shape)
    for (let i = 0; i < values.times.length; i++) {
      const time = day * dayMs + (values.times[i] as number)
      if (time >= from && time < to) rows.push({ series: index, time, value: values.value(i) })
    }
  }
  return series.length === 1 ? rows : rows.sort((a, b) => a.time - b.time || a.series - b.series)
}

async function readPage(
  client: pg.ClientBase,
  range: SeriesRange & { newestFirst: boolean },
  window: (total: number) => { offset: number; limit: number },
) {
  const { series, from, to } = range
  const hot = await readHot(client, series, range)
  const counts = await countDays(client, series, firstDay(from), lastDay(to))
  const days = daysOf(counts, hot)
  // Of a day that lies within the range and in which nothing is hot, the number of values is known without reading it
  // (of what are no numbers, only by reading: some may be hidden).
  const hotDays = new Set([...hot.values()].flatMap((byDay) => [...byDay.keys()]))
  const simple = series.every((key) => key.shape === 'number' || key.shape === 'boolean')
  const isOpen = (day: number) => !simple || hotDays.has(day) || day * dayMs < from || (day + 1) * dayMs > to
  const known = new Map<number, TimedValue[]>()
  const read = async (wanted: number[]) => {
    refuseTooMany(wanted.reduce((sum, day) => sum + (days.get(day) ?? 0), 0))
    const packs = Map.groupBy(await readDays(client, series, wanted), (pack) => pack.day)
    for (const day of wanted) known.set(day, rowsOfDay(day, packs.get(day) ?? [], hot, range))
  }
  await read([...days.keys()].filter(isOpen))
  const sizes = new Map([...days].map(([day, count]) => [day, known.get(day)?.length ?? count]))
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const { offset, limit } = window(total)
  const ordered = range.newestFirst ? [...sizes.keys()].reverse() : [...sizes.keys()]
  const shown: number[] = []
  let before = 0
  let skipped = 0
  for (const day of ordered) {
    const size = sizes.get(day) ?? 0
    if (before + size <= offset) skipped += size
    else if (before < offset + limit) shown.push(day)
    before += size
  }
  await read(shown.filter((day) => !known.has(day)))
  const rows = shown.flatMap((day) => {
    const list = known.get(day) ?? []
    // Within equal times the order of the series is turned too, so that page by page nothing is left out or doubled.
    return range.newestFirst ? list.toReversed() : list
  })
  return { rows: rows.slice(offset - skipped, offset - skipped + limit), total }
}

/** Days in groups that are fetched together. */
function groupDays(days: Map<number, number>): number[][] {
  const groups: number[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const [day, count] of days) {
    if (size + count > valuesAtOnce) {
      groups.push([])
      size = 0
    }
    groups.at(-1)?.push(day)
    size += count
  }
  return groups
}

async function readBuckets(client: pg.ClientBase, query: BucketQuery): Promise<Bucket[]> {
  const { series, from, to, interval, argFuncs } = query
  const hot = await readHot(client, series, query)
  const counts = await countDays(client, series, firstDay(from), lastDay(to))
  const days = daysOf(counts, hot)
  refuseTooMany([...days.values()].reduce((sum, count) => sum + count, 0))
  const wholeRange = (time: number) => ({ start: from > 0 ? from : time, end: to })
  const bucketAt = interval === 0 ? wholeRange : makeBucketClock(interval, query.timeZone)
  const aggregators = series.map(() => new Aggregator(argFuncs, bucketAt))
  for (const group of groupDays(days)) {
    const packs = Map.groupBy(await readDays(client, series, group), (pack) => pack.series)
    for (const [index, key] of series.entries()) {
      const ofSeries = new Map(packs.get(index)?.map((pack) => [pack.day, pack]))
      const aggregator = aggregators[index]
      for (const day of group) {
        const packed = ofSeries.get(day)
        const hotDay = hot.get(index)?.get(day)
        const isWhole = day * dayMs >= from && (day + 1) * dayMs <= to
        if (packed?.nums && !hotDay && isWhole) {
          aggregator?.addDay({ base: day * dayMs, times: packed.times, nums: packed.nums, value: unpacker(key.shape) })
          continue
        }
        const values = dayValues(packed, hotDay, key.shape)
        for (let i = 0; i < values.times.length; i++) {
          const time = day * dayMs + (values.times[i] as number)
          if (time >= from && time < to) aggregator?.add(time, values.value(i), values.number(i))
        }
      }
    }
  }
  const rows: Bucket[] = []
  for (const [index, aggregator] of aggregators.entries()) {
    const found = aggregator.finish()
    const filled =
      interval === 0
        ? found
        : fillBuckets(found, query.fill, { from, to: query.fillTo }, bucketAt, argFuncs.length, maxBuckets)
    if (rows.length + filled.length > maxBuckets) throw new TooMuchHistory(`more than ${maxBuckets} buckets`)
    for (const { start, values } of filled) rows.push({ series: index, time: start, values })
  }
  return rows.sort((a, b) => a.time - b.time || a.series - b.series)
}

export const makePgHistory = (pool: pg.Pool): History => ({
  page: (range, window) => inSnapshot(pool, (client) => readPage(client, range, window)),
  buckets: (query) => inSnapshot(pool, (client) => readBuckets(client, query)),
  replay: (range) => replay(pool, range),
  lastBefore: (series, at) => lastBefore(pool, series, at),
})
