/**
 * Replaying: the values of thousands of series in one order of time, in bounded pieces. A piece is at most a day, less
 * when the day is full; each is read in a short transaction of its own, so that a long replay holds nothing up.
 */
import { aheadMs, dayMs } from '@ithings/contract/durations.ts'
import pg from 'pg'
import type { Replay, ReplayChunk, SeriesKey, SeriesRange } from '#ports/history.ts'
import { copyOut } from './copy-query.ts'
import { breathe, readWatermark, rowsAtOnce, seriesByDevice, shapeOf } from './hot-rows.ts'
import { kindOf } from './packed-rows.ts'
import { ChunkBuilder } from './replay-chunk.ts'
import { inSnapshot } from './snapshot.ts'

/** Values that are read at once, about. */
const valuesAtOnce = 1_000_000
const shortestMs = 60_000

interface Slice {
  from: number
  to: number
  /** Something of it is still in the journal. */
  hot: boolean
  empty: boolean
}

const list = (values: ReadonlyArray<number | string>, type: string) =>
  `${pg.escapeLiteral(`{${values.join(',')}}`)}::${type}[]`

/** COPY takes no parameters, so the keys are written into the statement. */
const askedKeys = (keys: SeriesKey[]) => `unnest(
  ${list([...keys.keys()], 'integer')}, ${list(
    keys.map((key) => Math.trunc(key.deviceID)),
    'bigint',
  )},
  ${list(
    keys.map((key) => JSON.stringify(key.property)),
    'text',
  )}, ${list(
    keys.map((key) => kindOf(key.shape)),
    'smallint',
  )}) as asked (series, device_id, property, kind)`

interface DayCount {
  values: number
  /** Messages that are still in the journal. */
  hot: number
}

const timeOf = `case when device_time > 0 then device_time else at end`

async function countByDay(client: pg.ClientBase, { series, from, to }: SeriesRange) {
  const days = new Map<number, DayCount>()
  const day = (number: number) => {
    const known = days.get(number) ?? { values: 0, hot: 0 }
    days.set(number, known)
    return known
  }
  const packed = await client.query<{ day: number; values: number }>(
    `select day, sum(count)::float8 as values from ${askedKeys(series)} join history_day using (device_id, property, kind)
     where day between $1 and $2 group by day`,
    [Math.floor(from / dayMs), Math.floor((to - 1) / dayMs)],
  )
  for (const row of packed.rows) day(row.day).values += row.values
  const devices = seriesByDevice(series)
  const since = Math.max(await readWatermark(client), from - aheadMs)
  const hot = await client.query<{ day: number; messages: number }>(
    `select (${timeOf} / ${dayMs})::integer as day, count(*)::float8 as messages from journal
     where device_id = any($1::bigint[]) and at >= $2 and adds and kind = 3 and ${timeOf} >= $3 and ${timeOf} < $4
     group by 1`,
    [[...devices.keys()], since, from, to],
  )
  const each = series.length / Math.max(devices.size, 1)
  for (const row of hot.rows) {
    day(row.day).values += row.messages * each
    day(row.day).hot += row.messages
  }
  return days
}

function sliceDay(day: number, { from, to }: SeriesRange, count: DayCount | undefined, atOnce: number): Slice[] {
  const begin = Math.max(from, day * dayMs)
  const end = Math.min(to, (day + 1) * dayMs)
  const pieces = Math.ceil((count?.values ?? 0) / atOnce)
  const step = pieces > 1 ? Math.max(shortestMs, Math.ceil(dayMs / pieces)) : dayMs
  const slices: Slice[] = []
  for (let at = begin; at < end; at += step) {
    slices.push({ from: at, to: Math.min(end, at + step), hot: (count?.hot ?? 0) > 0, empty: !count })
  }
  return slices
}

/** Hot values by series and time; the later receipt wins. */
async function readHotSlice(client: pg.ClientBase, series: SeriesKey[], { from, to }: Slice) {
  const devices = seriesByDevice(series)
  const since = Math.max(await readWatermark(client), from - aheadMs)
  const { rows } = await client.query<{ device_id: number; time: number; content: string }>(
    `select device_id::float8, (${timeOf})::float8 as time, content from journal
     where device_id = any($1::bigint[]) and at >= $2 and adds and kind = 3 and ${timeOf} >= $3 and ${timeOf} < $4
     order by at, seq`,
    [[...devices.keys()], since, from, to],
  )
  const hot = new Map<number, Map<number, unknown>>()
  for (const [row, { device_id, time, content }] of rows.entries()) {
    if (row % rowsAtOnce === rowsAtOnce - 1) await breathe()
    const values = JSON.parse(content) as Record<string, unknown>
    for (const [property, index] of devices.get(device_id) ?? []) {
      const value = values[property]
      if (value === undefined || shapeOf(value) !== series[index]?.shape) continue
      const times = hot.get(index) ?? new Map<number, unknown>()
      hot.set(index, times)
      times.set(time, value)
    }
  }
  return hot
}

async function readSlice(client: pg.ClientBase, series: SeriesKey[], slice: Slice): Promise<Iterable<ReplayChunk>> {
  const builder = new ChunkBuilder(series, slice)
  const hot = slice.hot ? await readHotSlice(client, series, slice) : undefined
  const day = Math.floor(slice.from / dayMs)
  const [first, after] = [slice.from - day * dayMs, slice.to - day * dayMs]
  // Times rise, so the piece is found by bisection; most days are wanted whole.
  const whole = first === 0 && after === dayMs
  const part = whole ? '' : '[lo:hi]'
  const bounds = whole
    ? '1 as lo, count as hi'
    : `width_bucket(${first - 1}, times) + 1 as lo, width_bucket(${after - 1}, times) as hi`
  const statement = `copy (
    select series, lo, times${part}, nums${part}, case when kind = 3 then vals end
    from (select asked.series, kind, times, nums, vals, ${bounds}
      from ${askedKeys(series)} join history_day using (device_id, property, kind) where day = ${day}) found
    where hi >= lo order by series) to stdout with (format binary)`
  await copyOut(client, statement, (bytes) => builder.addRow(bytes, day * dayMs, hot))
  if (hot) builder.addHot(hot)
  return builder.pieces()
}

export async function replay(pool: pg.Pool, range: SeriesRange, atOnce = valuesAtOnce): Promise<Replay> {
  const { series, from, to } = range
  const counts =
    series.length > 0 && to > from ? await inSnapshot(pool, (client) => countByDay(client, range)) : new Map()
  const slices: Slice[] = []
  for (let day = Math.floor(from / dayMs); day * dayMs < to; day++)
    slices.push(...sliceDay(day, range, counts.get(day), atOnce))
  return {
    total: Math.round([...counts.values()].reduce((sum, { values }) => sum + values, 0)),
    async *chunks() {
      for (const slice of slices) {
        yield* slice.empty
          ? new ChunkBuilder(series, slice).pieces()
          : await inSnapshot(pool, (client) => readSlice(client, series, slice))
      }
    },
  }
}

/** Number of values of a day before the moment; those of earlier days all are. */
const packedBefore = (keys: SeriesKey[], day: number, within: number) => `
  select asked.series, last.day, last.times[last.i] as t, last.nums[last.i] as n, last.vals -> (last.i - 1) as v
  from ${askedKeys(keys)} cross join lateral (
    select day, times, nums, case when h.kind = 3 then vals end as vals, i from (
      select h.*, case when day < ${day} then count else width_bucket(${within - 1}, times) end as i
      from history_day h where h.device_id = asked.device_id and h.property = asked.property and h.kind = asked.kind
        and day <= ${day}
    ) h where i > 0 order by day desc limit 1
  ) last`

/** The last of each type: one of a type that the model had before does not hide the others. */
const hotBefore = `
  select distinct on (device_id, pair.key, jsonb_typeof(pair.value)) device_id::float8 as device, pair.key as property, time::float8, pair.value
  from (
    select device_id, ${timeOf} as time, content::jsonb as content, at, seq from journal
    where device_id = any($1::bigint[]) and at >= $2 and adds and kind = 3 and ${timeOf} < $3
  ) told, jsonb_each(told.content) pair
  where pair.key = any($4::text[]) 
  order by device_id, pair.key, jsonb_typeof(pair.value), time desc, at desc, seq desc`

export async function lastBefore(pool: pg.Pool, series: SeriesKey[], at: number) {
  const found: Array<{ time: number; value: unknown } | undefined> = series.map(() => undefined)
  if (series.length === 0) return found
  const day = Math.floor(at / dayMs)
  await inSnapshot(pool, async (client) => {
    const packed = await client.query<{ series: number; day: number; t: number; n: number | null; v: unknown }>(
      packedBefore(series, day, at - day * dayMs),
    )
    for (const row of packed.rows) {
      const shape = series[row.series]?.shape
      const value = row.n === null ? row.v : shape === 'boolean' ? row.n === 1 : row.n
      if (shapeOf(value) === shape) found[row.series] = { time: row.day * dayMs + row.t, value }
    }
    const devices = seriesByDevice(series)
    const hot = await client.query<{ device: number; property: string; time: number; value: unknown }>(hotBefore, [
      [...devices.keys()],
      await readWatermark(client),
      at,
      [...new Set(series.map((key) => key.property))],
    ])
    for (const { device, property, time, value } of hot.rows) {
      const index = devices.get(device)?.get(property)
      if (index === undefined || shapeOf(value) !== series[index]?.shape) continue
      if ((found[index]?.time ?? Number.NEGATIVE_INFINITY) <= time) found[index] = { time, value }
    }
  })
  return found
}
