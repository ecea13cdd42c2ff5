/** A replay is held against a plain list of everything said, before, while and after packing, in pieces of any size. */
import { dayMs, hourMs } from '@ithings/contract/durations.ts'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Replay, SeriesKey } from '#ports/history.ts'
import { ensurePackState, packClosedHours } from './pack.ts'
import { makePartitionsAhead } from './partitions.ts'
import { lastBefore, replay } from './replay.ts'
import { type JournalRoom, openJournalRoom } from './testing/journal-room.ts'

let room: JournalRoom
const start = 20_700 * dayMs

beforeAll(async () => {
  room = await openJournalRoom()
  await makePartitionsAhead(room.pool, start)
})
afterAll(() => room.close())
beforeEach(reset)

async function reset() {
  await room.pool.query('truncate journal, history_day, device_event, pack_state')
  await ensurePackState(room.pool, start)
}

const keys: SeriesKey[] = [
  { deviceID: 1, property: 'temp', shape: 'number' },
  { deviceID: 1, property: 'on', shape: 'boolean' },
  { deviceID: 2, property: 'temp', shape: 'number' },
  { deviceID: 2, property: 'name', shape: 'string' },
  { deviceID: 3, property: 'place', shape: 'object' },
]

interface Said {
  deviceID: number
  at: number
  time: number
  values: Record<string, unknown>
}

const say = async (messages: Said[]) => {
  for (const { deviceID, values, at, time } of messages) {
    await room.journal.append(room.report(deviceID, values, at, time === at ? 0 : time))
  }
}

/** Last said wins; old to new, equal times in the order of the keys. */
function expected(messages: Said[], from: number, to: number) {
  const rows = keys.flatMap((key, series) => {
    const values = new Map<number, unknown>()
    for (const { deviceID, time, values: said } of messages) {
      const value = said[key.property]
      if (deviceID === key.deviceID && typeof value === key.shape) values.set(time, value)
    }
    return [...values].map(([time, value]) => ({ series, time, value }))
  })
  return rows.filter(({ time }) => time >= from && time < to).sort((a, b) => a.time - b.time || a.series - b.series)
}

async function collect({ chunks }: Replay, from: number, to: number) {
  const rows = []
  let reached = from
  for await (const chunk of chunks()) {
    expect(chunk.from).toBe(reached)
    expect(chunk.to).toBeGreaterThan(chunk.from)
    reached = chunk.to
    for (let i = 0; i < chunk.count; i++) {
      const time = chunk.times[i] as number
      expect(time >= chunk.from && time < chunk.to).toBe(true)
      rows.push({ series: chunk.series[i] as number, time, value: chunk.value(i) })
    }
  }
  expect(reached).toBe(to)
  return rows
}

const message = fc.record({
  deviceID: fc.constantFrom(1, 2, 3),
  receipt: fc.integer({ min: 0, max: 119 }),
  // Few different times, so that many fall together; also late ones of the days before.
  lag: fc.constantFrom(0, 0, 60_000, -300_000, 2 * hourMs, dayMs, 3 * dayMs + 5),
  values: fc.record(
    {
      temp: fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constantFrom(1.5, 'hot')),
      on: fc.boolean(),
      name: fc.constantFrom('a', '半"角', ''),
      place: fc.record({ x: fc.nat({ max: 9 }) }),
    },
    { requiredKeys: ['temp'] },
  ),
})
const messages = fc.array(message, { minLength: 1, maxLength: 40 }).map((list) =>
  list
    .map(({ deviceID, receipt, lag, values }): Said => {
      const at = start + receipt * 60_000
      return { deviceID, at, time: at - lag, values }
    })
    .sort((a, b) => a.at - b.at),
)

const packedUntil = (hours: number) => start + hours * hourMs + 5 * 60_000

test('packed, half packed and unpacked replay alike, in pieces of any size and any range', async () => {
  const edges = fc.tuple(fc.integer({ min: -4 * 24, max: 2 }), fc.integer({ min: 1, max: 30 }))
  await fc.assert(
    fc.asyncProperty(messages, edges, fc.constantFrom(1, 5, 1_000_000), async (said, [hour, length], atOnce) => {
      await reset()
      await say(said)
      const wide = { series: keys, from: start - 10 * dayMs, to: start + 2 * dayMs }
      const from = start + hour * hourMs + 30_000
      const narrow = { series: keys, from, to: from + length * hourMs }
      for (const hours of [0, 1, 2]) {
        await packClosedHours(room.pool, packedUntil(hours))
        for (const range of [wide, narrow]) {
          const found = await collect(await replay(room.pool, range, atOnce), range.from, range.to)
          expect(found).toEqual(expected(said, range.from, range.to))
        }
        const last = keys.map((_, series) => {
          const row = expected(said, 0, from).findLast((one) => one.series === series)
          return row && { time: row.time, value: row.value }
        })
        expect(await lastBefore(room.pool, keys, from)).toEqual(last)
      }
    }),
    { numRuns: 12 },
  )
})

test('a replay says beforehand about how much there is', async () => {
  await say(
    Array.from({ length: 50 }, (_, n) => ({
      deviceID: 1,
      at: start + n,
      time: start + n,
      values: { temp: n, on: true },
    })),
  )
  const range = { series: keys.slice(0, 2), from: start, to: start + hourMs }
  expect((await replay(room.pool, range)).total).toBe(100)
  await packClosedHours(room.pool, packedUntil(1))
  expect((await replay(room.pool, range)).total).toBe(100)
})

test('without series the range is still walked through, day by day', async () => {
  const range = { series: [], from: start - 1000, to: start + dayMs + 1000 }
  expect(await collect(await replay(room.pool, range), range.from, range.to)).toEqual([])
})
