/** Packed days as they lie in the database, fetched in binary: a chart of a quarter is a million numbers. */
import pg from 'pg'
import type { SeriesKey, ValueShape } from '#ports/history.ts'

export interface PackedDay {
  series: number
  day: number
  /** ms within the day, rising. */
  times: Int32Array
  nums: Float64Array | undefined
  vals: unknown[]
}

/** history_day.kind */
export const kindOf = (shape: ValueShape): number => (shape === 'number' ? 1 : shape === 'boolean' ? 2 : 3)

/** Header of an array on the wire: dimensions, nulls, type, size, first index. Each element has its length in front. */
const arrayHeader = 20
const int32Array = (bytes: Buffer): Int32Array => {
  const size = bytes.readInt32BE(0) === 0 ? 0 : bytes.readInt32BE(12)
  const numbers = new Int32Array(size)
  for (let i = 0, at = arrayHeader + 4; i < size; i++, at += 8) numbers[i] = bytes.readInt32BE(at)
  return numbers
}
const float64Array = (bytes: Buffer): Float64Array => {
  const size = bytes.readInt32BE(0) === 0 ? 0 : bytes.readInt32BE(12)
  const numbers = new Float64Array(size)
  for (let i = 0, at = arrayHeader + 4; i < size; i++, at += 12) numbers[i] = bytes.readDoubleBE(at)
  return numbers
}

const parsers: Record<number, (bytes: Buffer) => unknown> = {
  [pg.types.builtins.INT4]: (bytes) => bytes.readInt32BE(0),
  1007: int32Array,
  1022: float64Array,
  // One byte of version, then text.
  [pg.types.builtins.JSONB]: (bytes) => JSON.parse(bytes.toString('utf8', 1)),
}
const types = { getTypeParser: (oid: number) => parsers[oid] } as unknown as pg.CustomTypesConfig

const keyColumns = `
  unnest($1::integer[], $2::bigint[], $3::text[], $4::smallint[]) as asked (series, device_id, property, kind)
  join history_day h using (device_id, property, kind)`

const keyValues = (keys: SeriesKey[]) => [
  keys.map((_, index) => index),
  keys.map((key) => key.deviceID),
  keys.map((key) => key.property),
  keys.map((key) => kindOf(key.shape)),
]

export interface DayCount {
  series: number
  day: number
  count: number
}

export async function countDays(
  client: pg.ClientBase,
  keys: SeriesKey[],
  from: number,
  to: number,
): Promise<DayCount[]> {
  const { rows } = await client.query<DayCount>(
    `select series, day, count from ${keyColumns} where day between $5 and $6 order by day, series`,
    [...keyValues(keys), from, to],
  )
  return rows
}

/** Old to new, within a day in the order of the series. */
export async function readDays(client: pg.ClientBase, keys: SeriesKey[], days: number[]): Promise<PackedDay[]> {
  if (days.length === 0 || keys.length === 0) return []
  const { rows } = await client.query({
    text: `select series, day, times, nums, vals from ${keyColumns}
           where day = any($5::integer[]) and day between $6 and $7 order by day, series`,
    values: [...keyValues(keys), days, Math.min(...days), Math.max(...days)],
    binary: true,
    types,
  } as pg.QueryConfig)
  return (rows as Array<Omit<PackedDay, 'nums'> & { nums: Float64Array | null }>).map((row) => ({
    ...row,
    nums: row.nums ?? undefined,
  }))
}
