/** Reading is held against a plain list of everything said, before, while and after packing. */
import { dayMs, hourMs } from '@ithings/contract/durations.ts'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type History, type SeriesKey, TooMuchHistory } from '#ports/history.ts'
import { ensurePackState, packClosedHours } from './pack.ts'
import { makePartitionsAhead } from './partitions.ts'
import { makePgHistory } from './series.ts'
import { type JournalRoom, openJournalRoom } from './testing/journal-room.ts'

let room: JournalRoom
let history: History
/** Midnight UTC; two hours of messages follow it. */
const start = 20_700 * dayMs

beforeAll(async () => {
  room = await openJournalRoom()
  history = makePgHistory(room.pool)
  await makePartitionsAhead(room.pool, start)
})
afterAll(() => room.close())
beforeEach(reset)

async function reset() {
  await room.pool.query('truncate journal, history_day, device_event, pack_state')
  await ensurePackState(room.pool, start)
}

interface Said {
  deviceID: number
  at: number
  time: number
  values: Record<string, unknown>
}

const keys: SeriesKey[] = [
  { deviceID: 1, property: 'temp', shape: 'number' },
  { deviceID: 1, property: 'on', shape: 'boolean' },
  { deviceID: 2, property: 'temp', shape: 'number' },
  { deviceID: 2, property: 'name', shape: 'string' },
]
const wide = { from: start - 10 * dayMs, to: start + 2 * dayMs }
const all = (total: number) => ({ offset: 0, limit: total })

async function say(messages: Said[]) {
  for (const { deviceID, values, at, time } of messages) {
    await room.journal.append(room.report(deviceID, values, at, time === at ? 0 : time))
  }
}

const shapeOf = (value: unknown) => typeof value as SeriesKey['shape']

/** Last said wins; old to new, equal times in the order of the keys. */
function expected(messages: Said[], { from, to }: { from: number; to: number }) {
  const rows = keys.flatMap((key, series) => {
    const values = new Map<number, unknown>()
    for (const { deviceID, time, values: said } of messages) {
      const value = said[key.property]
      if (deviceID === key.deviceID && value !== undefined && shapeOf(value) === key.shape) values.set(time, value)
    }
    return [...values].map(([time, value]) => ({ series, time, value }))
  })
  return rows.filter(({ time }) => time >= from && time < to).sort((a, b) => a.time - b.time || a.series - b.series)
}

const message = fc.record({
  deviceID: fc.constantFrom(1, 2),
  receipt: fc.integer({ min: 0, max: 2 * hourMs - 1 }),
  // Few different times, so that many fall together; also late ones of the days before.
  lag: fc.constantFrom(0, 0, 60_000, -300_000, 2 * hourMs, dayMs, 3 * dayMs + 5),
  values: fc.record(
    {
      temp: fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constantFrom(1.5, 'hot')),
      on: fc.boolean(),
      name: fc.constantFrom('a', '半"角', ''),
    },
    { requiredKeys: ['temp'] },
  ),
})
const messages = fc.array(message, { minLength: 1, maxLength: 40 }).map((list) =>
  list
    .map(({ deviceID, receipt, lag, values }) => {
      const at = start + receipt - (receipt % 60_000)
      return { deviceID, at, time: at - lag, values } satisfies Said
    })
    .sort((a, b) => a.at - b.at),
)

const packedUntil = (hours: number) => start + hours * hourMs + 5 * 60_000

describe('packed, half packed and unpacked read alike', () => {
  test('as pages in both directions, with totals, at any range', async () => {
    const edges = fc.tuple(fc.integer({ min: -4 * 24, max: 2 }), fc.integer({ min: 0, max: 30 }))
    await fc.assert(
      fc.asyncProperty(messages, edges, fc.integer({ min: 1, max: 7 }), async (said, [hour, length], size) => {
        await reset()
        await say(said)
        const from = start + hour * hourMs
        const range = { from, to: from + length * hourMs + 1 }
        for (const hours of [0, 1, 2]) {
          await packClosedHours(room.pool, packedUntil(hours))
          const whole = await history.page({ series: keys, ...wide, newestFirst: false }, all)
          expect(whole.rows).toEqual(expected(said, wide))
          expect(whole.total).toBe(whole.rows.length)
          const wanted = expected(said, range)
          for (const newestFirst of [false, true]) {
            const paged = []
            for (let offset = 0; offset === 0 || offset < wanted.length; offset += size) {
              const page = await history.page({ series: keys, ...range, newestFirst }, () => ({ offset, limit: size }))
              expect(page.total).toBe(wanted.length)
              paged.push(...page.rows)
            }
            expect(paged).toEqual(newestFirst ? wanted.toReversed() : wanted)
          }
        }
      }),
      { numRuns: 12 },
    )
  })

  test('as buckets of every function', async () => {
    const zone = 8 * hourMs
    await fc.assert(
      fc.asyncProperty(messages, fc.constantFrom(60_000, hourMs, 6 * hourMs, dayMs), async (said, interval) => {
        await reset()
        await say(said)
        const numbers = keys.slice(0, 3)
        const groups = Map.groupBy(
          expected(said, wide).filter(({ series }) => series < 3),
          ({ series, time }) => `${Math.floor((time + zone) / interval) * interval - zone} ${series}`,
        )
        const wanted = [...groups].map(([key, rows]) => {
          const [time = 0, series = 0] = key.split(' ').map(Number)
          const values = rows.map((row) => Number(row.value))
          const sum = values.reduce((a, b) => a + b, 0)
          const ends = [rows[0]?.value, rows.at(-1)?.value]
          return {
            series,
            time,
            values: [sum / values.length, Math.min(...values), Math.max(...values), sum, values.length, ...ends],
          }
        })
        wanted.sort((a, b) => a.time - b.time || a.series - b.series)
        const averages = []
        for (const hours of [0, 2]) {
          await packClosedHours(room.pool, packedUntil(hours))
          const found = await history.buckets({
            series: numbers,
            ...wide,
            fillTo: wide.to,
            interval,
            timeZone: 'Asia/Shanghai',
            argFuncs: ['avg', 'min', 'max', 'sum', 'count', 'first', 'last'],
            fill: { mode: 'none' },
          })
          expect(found).toEqual(wanted)
          averages.push(
            await history.buckets({
              series: numbers,
              ...wide,
              fillTo: wide.to,
              interval,
              timeZone: 'UTC',
              argFuncs: ['twa'],
              fill: { mode: 'none' },
            }),
          )
        }
        expect(averages[1]).toEqual(averages[0])
      }),
      { numRuns: 8 },
    )
  })
})

test('a value at the start of the range is in it, one at the end is not', async () => {
  await say([0, 1000, 2000].map((t) => ({ deviceID: 1, at: start + t, time: start + t, values: { temp: t } })))
  const times = async () => {
    const range = { series: keys.slice(0, 1), from: start, to: start + 2000, newestFirst: false }
    return (await history.page(range, all)).rows.map((row) => row.time - start)
  }
  expect(await times()).toEqual([0, 1000])
  await packClosedHours(room.pool, packedUntil(1))
  expect(await times()).toEqual([0, 1000])
})

test('a late value finds its place in a day that is packed already', async () => {
  const point = (at: number, time: number, temp: number) => ({ deviceID: 1, at, time, values: { temp } })
  await say([point(start + 1000, start + 1000, 1), point(start + 3000, start + 3000, 3)])
  await packClosedHours(room.pool, packedUntil(1))
  await say([point(start + hourMs, start + 2000, 2), point(start + hourMs + 1, start + 3000, 33)])
  const read = async () =>
    (await history.page({ series: keys.slice(0, 1), ...wide, newestFirst: false }, all)).rows.map((row) => row.value)
  expect(await read()).toEqual([1, 2, 33])
  await packClosedHours(room.pool, packedUntil(2))
  expect(await read()).toEqual([1, 2, 33])
  const { rows } = await room.pool.query('select count, min, max, sum, first, last from history_day')
  expect(rows).toEqual([{ count: 3, min: 1, max: 33, sum: 36, first: 1, last: 33 }])
})

test('packing again what is packed changes nothing, and stops where it was interrupted', async () => {
  const said = Array.from({ length: 50 }, (_, n) => ({
    deviceID: 1 + (n % 2),
    at: start + n * 1000,
    time: start + n * 1000,
    values: { temp: n },
  }))
  await say(said)
  await packClosedHours(room.pool, packedUntil(1))
  const before = (await room.pool.query('select * from history_day order by device_id')).rows
  // As a crash between two pieces leaves it: device 1 done, the hour not.
  await room.pool.query('update pack_state set hour = hour - 1, is_cut = true')
  await room.pool.query('insert into pack_piece select hour, 2, 1000 from pack_state')
  await packClosedHours(room.pool, packedUntil(1))
  expect((await room.pool.query('select * from history_day order by device_id')).rows).toEqual(before)
  expect((await room.pool.query('select from pack_piece')).rowCount).toBe(0)
  await room.pool.query('update pack_state set hour = hour - 1')
  await packClosedHours(room.pool, packedUntil(1))
  expect((await room.pool.query('select * from history_day order by device_id')).rows).toEqual(before)
  // Where an earlier version of the program stopped.
  await room.pool.query('update pack_state set hour = hour - 1, next_device = 2')
  await room.pool.query('delete from history_day where device_id = 1')
  await packClosedHours(room.pool, packedUntil(1))
  expect((await room.pool.query('select * from history_day order by device_id')).rows).toEqual(before.slice(1))
})

test('two servers that pack at once share the work without doubling it', async () => {
  await say(
    Array.from({ length: 100 }, (_, n) => ({
      deviceID: 1 + (n % 4),
      at: start + n * 60_000,
      time: start + n * 60_000,
      values: { temp: n },
    })),
  )
  const pieces: number[] = []
  const pack = async (place: number) => {
    // Each waits after its first piece until the others had one, too.
    const pause = async () => {
      pieces.push(place)
      await expect.poll(() => new Set(pieces).size).toBe(3)
    }
    return packClosedHours(room.pool, packedUntil(2), { rowsAtOnce: 10, pause })
  }
  const results = await Promise.all([1, 2, 3].map(pack))
  expect(results.reduce((sum, { hours }) => sum + hours, 0)).toBe(2)
  const { rows } = await room.pool.query('select sum(count)::int as n from history_day')
  expect(rows[0].n).toBe(100)
})

test('a property that keeps no history is not packed', async () => {
  const definition = JSON.stringify({ identifier: 'temp', isNoRecord: true })
  await room.pool.query(
    `insert into product_function (product_id, identifier, type, position, definition)
     select product_id, 'temp', 1, 1, $1::jsonb from product`,
    [definition],
  )
  await say([{ deviceID: 1, at: start, time: start, values: { temp: 1, on: true } }])
  await packClosedHours(room.pool, packedUntil(1))
  const { rows } = await room.pool.query('select property from history_day')
  expect(rows).toEqual([{ property: 'on' }])
  await room.pool.query('delete from product_function')
})

test('values of a device that is deleted meanwhile are not packed', async () => {
  await room.pool.query(
    `insert into device (product_id, device_name, secret) select product_id, 'gone', 'x' from product`,
  )
  const { rows } = await room.pool.query(`delete from device where device_name = 'gone' returning device_id`)
  await say([{ deviceID: rows[0].device_id, at: start, time: start, values: { temp: 1 } }])
  await packClosedHours(room.pool, packedUntil(1))
  expect((await room.pool.query('select from history_day')).rowCount).toBe(0)
})

test('more buckets than a screen could ever show are refused', async () => {
  await say([{ deviceID: 1, at: start, time: start, values: { temp: 1 } }])
  const query = { series: keys.slice(0, 1), ...wide, fillTo: wide.to, timeZone: 'UTC', argFuncs: ['avg' as const] }
  await expect(history.buckets({ ...query, interval: 1000, fill: { mode: 'prev' } })).rejects.toThrow(TooMuchHistory)
})
