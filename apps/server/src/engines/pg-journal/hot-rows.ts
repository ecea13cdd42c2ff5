/** The part of the history that is still in the journal: what was received since the last packed hour. */
import { aheadMs, dayMs, hourMs } from '@ithings/contract/durations.ts'
import type pg from 'pg'
import { type SeriesKey, TooMuchHistory, type ValueShape } from '#ports/history.ts'
import type { Queries } from './partitions.ts'

const maxRows = 300_000
export const rowsAtOnce = 5_000

export const shapeOf = (value: unknown): ValueShape | undefined => {
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  if (type === 'object') return value === null ? undefined : 'object'
  return type === 'number' || type === 'boolean' || type === 'string' ? type : undefined
}

/** By series, by day, by ms within the day. */
export type HotValues = Map<number, Map<number, Map<number, unknown>>>

export async function readWatermark(client: Queries): Promise<number> {
  const { rows } = await client.query('select hour from pack_state')
  return Number((rows[0] as { hour: number } | undefined)?.hour ?? 0) * hourMs
}

/** Series of each device by property. */
export function seriesByDevice(keys: SeriesKey[]): Map<number, Map<string, number>> {
  const devices = new Map<number, Map<string, number>>()
  for (const [index, key] of keys.entries()) {
    const properties = devices.get(key.deviceID) ?? new Map<string, number>()
    properties.set(key.property, index)
    devices.set(key.deviceID, properties)
  }
  return devices
}

export const breathe = () => new Promise<void>((resolve) => setImmediate(resolve))

export async function readHot(
  client: pg.ClientBase,
  keys: SeriesKey[],
  { from, to }: { from: number; to: number },
): Promise<HotValues> {
  const devices = seriesByDevice(keys)
  const since = Math.max(await readWatermark(client), from - aheadMs)
  const { rows } = await client.query<{ device_id: number; time: number; content: string }>(
    `select device_id::float8, (case when device_time > 0 then device_time else at end)::float8 as time, content
     from journal where device_id = any($1::bigint[]) and at >= $2 and adds and kind = 3
     order by at, seq limit ${maxRows + 1}`,
    [[...devices.keys()], since],
  )
  if (rows.length > maxRows) throw new TooMuchHistory(`more than ${maxRows} messages`)
  const hot: HotValues = new Map()
  for (const [index, { device_id, time, content }] of rows.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) await breathe()
    if (time < from || time >= to) continue
    const values = JSON.parse(content) as Record<string, unknown>
    for (const [property, series] of devices.get(device_id) ?? []) {
      const value = values[property]
      if (value === undefined || shapeOf(value) !== keys[series]?.shape) continue
      const days = hot.get(series) ?? new Map<number, Map<number, unknown>>()
      hot.set(series, days)
      const day = Math.floor(time / dayMs)
      const times = days.get(day) ?? new Map<number, unknown>()
      days.set(day, times)
      times.set(time - day * dayMs, value)
    }
  }
  return hot
}
