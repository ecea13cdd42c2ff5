import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeTestClock, type TestClock } from '#testing/world.ts'
import { PgLatest } from './latest.ts'
import { hasDeadMark, repairLatest } from './latest-repair.ts'
import { type JournalRoom, openJournalRoom } from './testing/journal-room.ts'

let room: JournalRoom
let clock: TestClock
let latest: PgLatest

const open = async (nodeNumber = 1) => {
  const { pool, log } = room
  const opened = new PgLatest({ pool, clock, nodeNumber, mostDevices: 1_000, log, metrics: new Registry() })
  await opened.start()
  return opened
}

beforeEach(async () => {
  room = await openJournalRoom()
  clock = makeTestClock()
  latest = await open()
})
afterEach(async () => {
  await latest.stop()
  await room.close()
})

test('an older stated time never replaces a newer one, the same time does', async () => {
  latest.put(1, { a: 'new', b: 1 }, 5_000, 2_000)
  latest.put(1, { a: 'old', c: true }, 5_001, 1_000)
  latest.put(1, { b: 2 }, 5_002, 2_000)
  expect(await latest.read(1)).toEqual({
    a: { value: 'new', time: 2_000 },
    b: { value: 2, time: 2_000 },
    c: { value: true, time: 1_000 },
  })
})

test('a clock that is ahead holds nothing up: what arrives later is newer, with a time or without', async () => {
  latest.put(1, { a: 'ahead', b: 'ahead' }, 5_000, 300_000)
  expect(latest.put(1, { a: 'without a time' }, 5_001)).toBeUndefined()
  expect(latest.put(1, { b: 'with the right time' }, 5_002, 5_001)).toBeUndefined()
  expect(await latest.read(1)).toEqual({
    a: { value: 'without a time', time: 5_001 },
    b: { value: 'with the right time', time: 5_001 },
  })
})

test('a clock that is behind holds nothing up: only stated times are compared', async () => {
  latest.put(1, { a: 1 }, 500_000, 200_000)
  latest.put(1, { a: 2 }, 500_001)
  expect(latest.put(1, { a: 3 }, 500_002, 200_001)).toBeUndefined()
  expect(latest.put(1, { a: 1 }, 500_003, 200_000)).toEqual(['a'])
  expect(await latest.read(1)).toEqual({ a: { value: 3, time: 200_001 } })
})

test('who puts is told what came late, and who peeks sees nothing until the database was asked', async () => {
  expect(latest.put(1, { a: 1, b: 1 }, 5_000, 2_000)).toBeUndefined()
  expect(latest.peek(1)).toBeUndefined()
  expect(latest.put(1, { a: 2, c: 2 }, 5_001, 1_000)).toEqual(['a'])
  await latest.read(1)
  expect(latest.peek(1)?.get('a')).toMatchObject({ value: 1, time: 2_000 })
  latest.put(1, { a: 3 }, 5_002, 3_000)
  expect(latest.peek(1)?.get('a')).toMatchObject({ value: 3, time: 3_000 })
})

test('decisions.md 4.2: the same value of the same stated time is told to have come again', async () => {
  const place = { x: [1, { y: 2 }], z: 'a' }
  latest.put(1, { a: 1, place, b: true }, 5_000, 2_000)
  const again = { a: 1, place: { z: 'a', x: [1, { y: 2 }] }, b: false }
  expect(latest.put(1, again, 5_001, 2_000)).toEqual(['a', 'place'])
  await latest.flush()
  const restarted = await open(2)
  await restarted.read(1)
  expect(restarted.put(1, { a: 1, place }, 6_000, 2_000)).toEqual(['a', 'place'])
  await restarted.stop()
  // Without a time of the device nothing tells a second report from the first one again.
  expect(latest.put(1, { a: 1 }, 6_001)).toBeUndefined()
  expect(latest.put(1, { a: 1 }, 6_002, 2_000)).toEqual(['a'])
})

test('values are written each second and another server reads them', async () => {
  latest.put(1, { a: { x: [1, '半'] } }, 5)
  await expect
    .poll(async () => (await room.pool.query('select properties from device_latest')).rows)
    .toEqual([{ properties: { a: [{ x: [1, '半'] }, 5] } }])
  const other = await open(2)
  expect(await other.read(1)).toEqual({ a: { value: { x: [1, '半'] }, time: 5 } })
  await other.stop()
})

test('what the database has newer than a first message after the start stays', async () => {
  latest.put(1, { a: 'known', b: 1 }, 9_500, 9_000)
  await latest.flush()
  const restarted = await open(2)
  restarted.put(1, { a: 'late', c: 3 }, 10_000, 1_000)
  restarted.put(1, { b: 2 }, 10_001)
  await restarted.flush()
  expect(await restarted.read(1)).toMatchObject({ a: { value: 'known' }, b: { value: 2 }, c: { value: 3 } })
  expect(restarted.put(1, { b: 'late' }, 10_002, 8_000)).toEqual(['b'])
  const { rows } = await room.pool.query('select properties from device_latest')
  expect(rows[0].properties).toMatchObject({ a: ['known', 9_000, 9_000, 9_500], b: [2, 10_001, 9_000, 10_001] })
  await restarted.stop()
})

test('many devices are read in one go, unknown ones are empty', async () => {
  latest.put(1, { a: 1 }, 1)
  await latest.flush()
  latest.put(2, { a: 2 }, 1)
  const found = await latest.readMany([1, 2, 3])
  expect([...found]).toEqual([
    [1, { a: { value: 1, time: 1 } }],
    [2, { a: { value: 2, time: 1 } }],
    [3, {}],
  ])
})

test('a second server sees what the first one wrote after it had looked', async () => {
  const other = await open(2)
  expect(await other.read(1)).toEqual({})
  latest.put(1, { a: 1 }, 1)
  await latest.flush()
  clock.advance(1_500)
  expect(await other.read(1)).toEqual({ a: { value: 1, time: 1 } })
  await other.stop()
})

test('a device that moved: what the old server still holds never replaces what the new one wrote', async () => {
  latest.put(1, { a: 'first', b: 'first', c: 'first' }, 1_000)
  await latest.flush()
  const other = await open(2)
  await other.read(1)
  // Not written yet when the device moves.
  latest.put(1, { a: 'old', b: 'old', d: 'old' }, 2_000)
  latest.put(1, { c: 'old' }, 2_000, 1_900)
  other.put(1, { a: 'new', c: 'new' }, 3_000, 2_900)
  await other.flush()
  await latest.flush()
  const { rows } = await room.pool.query('select properties from device_latest')
  expect(rows[0].properties).toEqual({
    a: ['new', 2_900, 2_900, 3_000],
    b: ['old', 2_000],
    c: ['new', 2_900, 2_900, 3_000],
    d: ['old', 2_000],
  })
  // Back on the first server, without a time: what arrived last, and what was stated before is not forgotten.
  latest.put(1, { a: 'back' }, 4_000)
  await latest.flush()
  const { rows: after } = await room.pool.query(`select properties -> 'a' as a from device_latest`)
  expect(after[0].a).toEqual(['back', 4_000, 2_900, 4_000])
  await other.stop()
})

test('a device that is deleted while its values wait does not hold up the others', async () => {
  latest.put(1, { a: 1 }, 1)
  latest.put(2, { a: 2 }, 1)
  await room.pool.query('delete from device where device_id = 1')
  await latest.flush()
  expect((await room.pool.query('select device_id from device_latest')).rows).toEqual([{ device_id: 2 }])
})

test('text that jsonb cannot hold does not hold up the others', async () => {
  latest.put(1, { a: 'x\0y' }, 1)
  latest.put(2, { a: 2 }, 1)
  await latest.flush()
  const { rows } = await room.pool.query('select properties from device_latest order by device_id')
  expect(rows.map((row) => row.properties.a[0])).toEqual(['xy', 2])
})

describe('after a crash', () => {
  test('values that were acknowledged but not written come back from the journal (decisions.md 5)', async () => {
    const now = clock.now()
    latest.put(1, { a: 'written', b: 1 }, now - 1_000)
    await latest.flush()
    await room.journal.append(room.report(1, { a: 'unwritten', c: 3 }, now))
    await room.journal.append(room.entry({ deviceID: 2, content: '{"a":"refused"}', code: 100006 }))
    // The first server never flushes this: it is gone.
    const restarted = await open(7)
    expect(await restarted.read(1)).toEqual({
      a: { value: 'unwritten', time: now },
      b: { value: 1, time: now - 1_000 },
      c: { value: 3, time: now },
    })
    expect(await restarted.read(2)).toEqual({})
    await restarted.stop()
  })

  test('what comes back is what would have been written, whatever the clocks of the devices say', async () => {
    const now = clock.now()
    const told: [property: string, value: number, at: number, stated: number][] = [
      ['late', 1, 0, -10],
      ['late', 2, 1, -20],
      ['ahead', 1, 0, 300_000],
      ['ahead', 2, 1, 0],
      ['behind', 1, 0, 0],
      ['behind', 2, 1, -90_000],
      ['mixed', 1, 0, 0],
      ['mixed', 2, 1, -30],
      ['mixed', 3, 2, 0],
      ['mixed', 4, 3, -40],
      ['known', 1, 0, -70],
      ['known then given', 1, 0, -70],
      ['known then given', 2, 1, 0],
    ]
    // Device 2 loses nothing.
    for (const deviceID of [1, 2]) latest.put(deviceID, { known: 0, 'known then given': 0 }, now - 50, now - 60)
    await latest.flush()
    for (const [property, value, at, stated] of told) {
      const time = stated === 0 ? 0 : now + stated
      latest.put(2, { [property]: value }, now + at, time)
      await room.journal.append(room.report(1, { [property]: value }, now + at, time))
    }
    const expected = await latest.read(2)
    expect(Object.entries(expected).map(([property, { value }]) => [property, value])).toEqual([
      ['known', 0],
      ['known then given', 2],
      ['late', 1],
      ['ahead', 2],
      ['behind', 2],
      ['mixed', 3],
    ])
    await repairLatest(room.pool, now + 5_000)
    const restarted = await open(7)
    expect(await restarted.read(1)).toEqual(expected)
    await restarted.stop()
  })

  test('another server that goes on notices and repairs', async () => {
    await room.journal.append(room.report(3, { a: 1 }, clock.now()))
    expect(await hasDeadMark(room.pool, clock.now())).toBe(false)
    const later = clock.now() + 120_000
    expect(await hasDeadMark(room.pool, later)).toBe(true)
    await repairLatest(room.pool, later)
    expect(await hasDeadMark(room.pool, later)).toBe(false)
    expect((await room.pool.query('select device_id from device_latest')).rows).toEqual([{ device_id: 3 }])
  })
})
