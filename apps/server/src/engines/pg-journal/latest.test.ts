import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeTestClock, type TestClock } from '#testing/world.ts'
import { makePgLatest, type PgLatest } from './latest.ts'
import { hasDeadMark, repairLatest } from './latest-repair.ts'
import { type JournalRoom, openJournalRoom } from './testing/journal-room.ts'

let room: JournalRoom
let clock: TestClock
let latest: PgLatest

const open = async (nodeNumber = 1) => {
  const { pool, log } = room
  const opened = makePgLatest({ pool, clock, nodeNumber, log, metrics: new Registry() })
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

test('an older device time never replaces a newer one, the same time does', async () => {
  latest.put(1, { a: 'new', b: 1 }, 2_000)
  latest.put(1, { a: 'old', c: true }, 1_000)
  latest.put(1, { b: 2 }, 2_000)
  expect(await latest.read(1)).toEqual({
    a: { value: 'new', time: 2_000 },
    b: { value: 2, time: 2_000 },
    c: { value: true, time: 1_000 },
  })
})

test('who puts is told what came late, and who peeks sees nothing until the database was asked', async () => {
  expect(latest.put(1, { a: 1, b: 1 }, 2_000)).toBeUndefined()
  expect(latest.peek(1)).toBeUndefined()
  expect(latest.put(1, { a: 2, c: 2 }, 1_000)).toEqual(['a'])
  await latest.read(1)
  expect(latest.peek(1)?.get('a')).toEqual({ value: 1, time: 2_000 })
  latest.put(1, { a: 3 }, 3_000)
  expect(latest.peek(1)?.get('a')).toEqual({ value: 3, time: 3_000 })
})

test('decisions.md 4.2: the same value of the same stated time is told to have come again', async () => {
  const place = { x: [1, { y: 2 }], z: 'a' }
  latest.put(1, { a: 1, place, b: true }, 2_000, true)
  expect(latest.put(1, { a: 1, place: { z: 'a', x: [1, { y: 2 }] }, b: false }, 2_000, true)).toEqual(['a', 'place'])
  // Without a time of the device nothing tells a second report from the first one again.
  expect(latest.put(1, { a: 1 }, 2_000)).toBeUndefined()
  await latest.flush()
  const restarted = await open(2)
  await restarted.read(1)
  expect(restarted.put(1, { a: 1, place }, 2_000, true)).toEqual(['a', 'place'])
  await restarted.stop()
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
  latest.put(1, { a: 'known', b: 1 }, 9_000)
  await latest.flush()
  const restarted = await open(2)
  restarted.put(1, { a: 'late', c: 3 }, 1_000)
  await restarted.flush()
  expect(await restarted.read(1)).toMatchObject({ a: { value: 'known' }, b: { value: 1 }, c: { value: 3 } })
  const { rows } = await room.pool.query('select properties from device_latest')
  expect(rows[0].properties.a).toEqual(['known', 9_000])
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
    await room.journal.append(room.report(1, { a: 'older device time' }, now + 1, now - 90_000))
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
