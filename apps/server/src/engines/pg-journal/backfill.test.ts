/** A made-up past reads like one that came message by message, on both sides of what is packed. */
import { dayMs, hourMs } from '@ithings/contract/durations.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PastDevice } from '#ports/backfill.ts'
import type { SeriesKey } from '#ports/history.ts'
import { makePgBackfill } from './backfill.ts'
import { ensurePackState, packClosedHours } from './pack.ts'
import { makePartitionsAhead } from './partitions.ts'
import { makePgHistory } from './series.ts'
import { type JournalRoom, openJournalRoom, testProduct } from './testing/journal-room.ts'

let room: JournalRoom
/** Midnight UTC. Everything before one o'clock is packed. */
const start = 20_700 * dayMs
const packedUntil = start + hourMs
const now = start + 2 * hourMs

beforeAll(async () => {
  room = await openJournalRoom()
  await makePartitionsAhead(room.pool, start)
})
afterAll(() => room.close())
beforeEach(async () => {
  await room.pool.query('truncate journal, history_day, device_event, pack_state')
  await ensurePackState(room.pool, packedUntil)
})

const keys: SeriesKey[] = [
  { deviceID: 1, property: 'temp', shape: 'number' },
  { deviceID: 1, property: 'on', shape: 'boolean' },
  { deviceID: 1, property: 'name', shape: 'string' },
]

/** Two days, a report every ten minutes. */
function past(deviceID = 1): PastDevice {
  const reports = Array.from({ length: 2 * 144 + 6 }, (_, nr) => {
    const at = start - 2 * dayMs + hourMs + nr * 600_000
    return { at, values: { temp: nr / 4, on: nr % 3 === 0, name: `n${nr % 5}` } }
  })
  const events = [start - dayMs, packedUntil + 60_000].map((at) => ({
    at,
    eventID: 'leak',
    type: 'alert',
    params: { litres: 3 },
  }))
  return { deviceID, productID: testProduct, deviceName: `d${deviceID}`, logDays: 7, reports, events }
}

const readAll = async (device: PastDevice) => {
  const range = { series: keys, from: start - 10 * dayMs, to: start + dayMs }
  const { rows } = await makePgHistory(room.pool).page({ ...range, newestFirst: false }, (limit) => ({
    offset: 0,
    limit,
  }))
  expect(rows).toEqual(
    device.reports.flatMap(({ at, values }) =>
      keys.map(({ property }, series) => ({
        series,
        time: at,
        value: values[property],
      })),
    ),
  )
}

test('closed hours are packed days, later ones wait in the journal, and packing them changes nothing', async () => {
  const device = past()
  await makePgBackfill(room.pool, room.journal.nextSeq).write([device], now)
  expect(await room.rows('kind = 3')).toHaveLength(device.reports.filter(({ at }) => at >= packedUntil).length)
  await readAll(device)
  await packClosedHours(room.pool, now + dayMs)
  await readAll(device)
  const { rows } = await room.pool.query('select * from history_day where property = $1 order by day', ['temp'])
  const first = device.reports.filter(({ at }) => at < start - dayMs).map(({ values }) => Number(values.temp))
  expect(rows[0]).toMatchObject({
    count: first.length,
    min: Math.min(...first),
    max: Math.max(...first),
    sum: first.reduce((a, b) => a + b, 0),
    first: first[0],
    last: first.at(-1),
  })
  const { rows: events } = await room.pool.query('select event_id, type from device_event order by time')
  expect(events).toHaveLength(2)
  expect(events[0]).toEqual({ event_id: 'leak', type: 'alert' })
})

test('the log goes back as far as it is asked to', async () => {
  const device = past()
  const logsFrom = start - 12 * hourMs
  await makePgBackfill(room.pool, room.journal.nextSeq).write([device], logsFrom)
  const logged = await room.rows()
  const messages = [...device.reports, ...device.events].filter(({ at }) => at >= logsFrom)
  expect(logged).toHaveLength(messages.length)
  expect(logged[0]).toMatchObject({ method: 'report', code: 200, up: true, adds: true })
  await readAll(device)
})

test('removing takes everything of these devices and nothing of others', async () => {
  const backfill = makePgBackfill(room.pool, room.journal.nextSeq)
  await backfill.write([past(1), past(2)], start - dayMs)
  await backfill.remove([1])
  for (const table of ['journal', 'history_day', 'device_event']) {
    const { rows } = await room.pool.query(`select distinct device_id from ${table}`)
    expect(rows).toEqual([{ device_id: 2 }])
  }
})
