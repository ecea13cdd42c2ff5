/**
 * Packed days as they lie in the database. Fetched by COPY in binary, which pg's own queries cannot: a chart of a
 * quarter is a million numbers, and as text each would be written and read again.
 */
import pg from 'pg'
import type { SeriesKey, ValueShape } from '#ports/history.ts'
import { copyOut } from './copy-query.ts'

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

/** COPY takes no parameters, so the keys are written into the statement. */
function askedKeys(keys: SeriesKey[]): string {
  const rows = keys.map(({ deviceID, property, shape }, series) => {
    return `(${series}, ${Math.trunc(deviceID)}::bigint, ${pg.escapeLiteral(property)}, ${kindOf(shape)}::smallint)`
  })
  return `(values ${rows.join(', ')}) as asked (series, device_id, property, kind)
    join history_day h using (device_id, property, kind)`
}

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
    `select series, day, count from ${askedKeys(keys)} where day between $1 and $2 order by day, series`,
    [from, to],
  )
  return rows
}

/** Header of an array on the wire: dimensions, nulls, type, size, first index. Each element has its length in front. */
export const arrayHeader = 20
export const sizeOf = (bytes: DataView, at: number): number => (bytes.getInt32(at) === 0 ? 0 : bytes.getInt32(at + 12))

function readIntegers(bytes: DataView, at: number): Int32Array {
  const numbers = new Int32Array(sizeOf(bytes, at))
  for (let i = 0, place = at + arrayHeader + 4; i < numbers.length; i++, place += 8) {
    numbers[i] = bytes.getInt32(place)
  }
  return numbers
}

function readDoubles(bytes: DataView, at: number): Float64Array {
  const numbers = new Float64Array(sizeOf(bytes, at))
  for (let i = 0, place = at + arrayHeader + 4; i < numbers.length; i++, place += 12) {
    numbers[i] = bytes.getFloat64(place)
  }
  return numbers
}

const signatureLength = 11

/** Where the rows begin in the first message. */
const headerLength = (bytes: Buffer): number =>
  bytes.toString('latin1', 0, 6) === 'PGCOPY' ? signatureLength + 8 + bytes.readInt32BE(signatureLength + 4) : 0

/**
 * A row of COPY's binary format: number of columns (-1 ends), then each with its length (-1: null).
 * @returns what gives the next column; undefined: no row
 */
export function columnsOf(bytes: Buffer): (() => { begin: number; end: number } | undefined) | undefined {
  let at = headerLength(bytes)
  if (at >= bytes.length || bytes.readInt16BE(at) < 0) return undefined
  at += 2
  return () => {
    const length = bytes.readInt32BE(at)
    const begin = at + 4
    at = begin + Math.max(length, 0)
    return length < 0 ? undefined : { begin, end: at }
  }
}

function parseRow(bytes: Buffer, days: PackedDay[]): void {
  const column = columnsOf(bytes)
  if (!column) return
  const [series, day, times, nums, vals] = [column(), column(), column(), column(), column()]
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  days.push({
    series: bytes.readInt32BE(series?.begin ?? 0),
    day: bytes.readInt32BE(day?.begin ?? 0),
    times: readIntegers(view, times?.begin ?? 0),
    nums: nums && readDoubles(view, nums.begin),
    // One byte of version, then text.
    vals: vals ? JSON.parse(bytes.toString('utf8', vals.begin + 1, vals.end)) : [],
  })
}

/** Old to new, within a day in the order of the series. */
export async function readDays(client: pg.ClientBase, keys: SeriesKey[], wanted: number[]): Promise<PackedDay[]> {
  if (wanted.length === 0 || keys.length === 0) return []
  const [first, last] = [Math.min(...wanted), Math.max(...wanted)]
  const isWhole = wanted.length === last - first + 1
  const statement = `copy (
    select series, day, times, nums, case when kind = 3 then vals end from ${askedKeys(keys)}
    where day between ${first} and ${last} ${isWhole ? '' : `and day = any('{${wanted.join(',')}}'::integer[])`}
    order by day, series) to stdout with (format binary)`
  const days: PackedDay[] = []
  await copyOut(client, statement, (bytes) => parseRow(bytes, days))
  return days
}
