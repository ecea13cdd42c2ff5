import { dayMs } from '@ithings/contract/durations.ts'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeTestBackground } from '#testing/background.ts'
import { makeTestClock, type TestClock } from '#testing/world.ts'
import { keepDiskBudget } from './disk-budget.ts'
import { JournalKeeper } from './keeper.ts'
import { ensurePackState, packClosedHours } from './pack.ts'
import { listJournalParts } from './partitions.ts'
import { dropGoneDevices, dropOldJournal, dropOldValues } from './retention.ts'
import { type JournalRoom, openJournalRoom, testProduct } from './testing/journal-room.ts'

let room: JournalRoom
let clock: TestClock
const warn = vi.fn()

const keeperWith = (diskBudget?: number): JournalKeeper =>
  new JournalKeeper({
    pool: room.pool,
    clock,
    log: { info: () => undefined, warn },
    background: makeTestBackground(clock),
    metrics: new Registry(),
    diskBudget,
  })

beforeEach(async () => {
  warn.mockClear()
  room = await openJournalRoom()
  clock = makeTestClock()
})
afterEach(() => room.close())

const count = async (table: string) => Number((await room.pool.query(`select count(*) as n from ${table}`)).rows[0].n)

test('partitions stand ready for the days to come', async () => {
  await keeperWith().start()
  const days = new Set((await listJournalParts(room.pool)).map((part) => part.end))
  expect(Math.max(...days)).toBeGreaterThan(clock.now() + 2 * dayMs)
})

test('logs go after the days of their product, but never before they are packed', async () => {
  const old = clock.now() - 5 * dayMs
  await room.journal.append({ ...room.report(1, { a: 1 }, old), logDays: 3 })
  await room.journal.append({ ...room.report(1, { b: 1 }, old), logDays: 7 })
  await ensurePackState(room.pool, old)
  expect(await dropOldJournal(room.pool, clock.now())).toEqual([])
  await packClosedHours(room.pool, clock.now())
  expect(await dropOldJournal(room.pool, clock.now())).toHaveLength(1)
  expect((await room.rows()).map((row) => row.log_days)).toEqual([7])
  expect(await count('history_day')).toBe(2)
})

test('a drop that would have to wait for a reader is put off', async () => {
  const old = clock.now() - 5 * dayMs
  await room.journal.append({ ...room.report(1, { a: 1 }, old), logDays: 1 })
  await ensurePackState(room.pool, old)
  await packClosedHours(room.pool, clock.now())
  const reader = await room.pool.connect()
  await reader.query('begin')
  await reader.query('select from journal limit 1')
  expect(await dropOldJournal(room.pool, clock.now())).toEqual([])
  await reader.query('commit')
  reader.release()
  expect(await dropOldJournal(room.pool, clock.now())).toHaveLength(1)
})

test('values and events go after the value days of their product, own logs of devices after its log days', async () => {
  await room.pool.query('update product set value_days = 30, log_days = 3')
  const day = Math.floor(clock.now() / dayMs)
  for (const age of [29, 31, 100]) {
    await room.pool.query('select history_make_part($1::int / 30)', [day - age])
    await room.pool.query(
      `insert into history_day (device_id, property, kind, day, count, times, nums) values (1, 'a', 1, $1, 1, '{0}', '{1}')`,
      [day - age],
    )
    await room.pool.query(
      `insert into device_event (device_id, time, event_id, token, product_id, type, params) values (1, $1, 'e', '', $2, 'info', '{}')`,
      [clock.now() - age * dayMs, testProduct],
    )
  }
  for (const age of [1, 4]) {
    await room.pool.query(
      `insert into sdk_log (device_id, product_id, at, log_level, content) values (1, $1, $2, 1, '')`,
      [testProduct, clock.now() - age * dayMs],
    )
  }
  await dropOldValues(room.pool, clock.now())
  expect((await room.pool.query('select day from history_day')).rows).toEqual([{ day: day - 29 }])
  expect(await count('device_event')).toBe(1)
  expect(await count('sdk_log')).toBe(1)
  const { rows } = await room.pool.query(`select from pg_class where relname = 'history_' || ($1::int / 30)`, [
    day - 100,
  ])
  expect(rows).toHaveLength(0)
})

test('a deleted device takes its values, events and logs with it, the others keep theirs', async () => {
  for (const device of [1, 2]) {
    await room.journal.append(room.report(device, { a: 1 }, clock.now() - 3 * 3_600_000))
    await room.pool.query(
      `insert into sdk_log (device_id, product_id, at, log_level, content) values ($1, $2, 1, 1, '')`,
      [device, testProduct],
    )
    await room.pool.query(
      `insert into device_event (device_id, time, event_id, token, product_id, type, params) values ($1, 1, 'e', '', $2, 'info', '{}')`,
      [device, testProduct],
    )
  }
  await keeperWith().start()
  await packClosedHours(room.pool, clock.now())
  await room.pool.query('delete from device where device_id = 1')
  expect(await dropGoneDevices(room.pool, clock.now())).toBe(0)
  expect(await dropGoneDevices(room.pool, clock.now() + 5 * 60_000)).toBe(1)
  for (const table of ['journal', 'history_day', 'device_event', 'sdk_log']) {
    const { rows } = await room.pool.query(`select distinct device_id from ${table}`)
    expect(rows).toEqual([{ device_id: 2 }])
  }
  expect(await count('device_gone')).toBe(0)
})

test('the disk budget warns first; when it is used up the oldest packed days go, and never what is not packed', async () => {
  const ages = [9, 6, 2]
  for (const age of ages) {
    const at = clock.now() - age * dayMs
    await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        room.journal.append({ ...room.report(1, { a: 'x'.repeat(1_000) }, at + n), logDays: 15 }),
      ),
    )
  }
  const { rows } = await room.pool.query('select pg_database_size(current_database())::float8 as bytes')
  const { bytes } = rows[0]
  await ensurePackState(room.pool, clock.now() - 9 * dayMs)
  expect(await keepDiskBudget(room.pool, clock.now(), bytes * 2)).toMatchObject({ warns: false, dropped: [] })
  expect(await keepDiskBudget(room.pool, clock.now(), bytes * 1.1)).toMatchObject({ warns: true, dropped: [] })
  expect(await keepDiskBudget(room.pool, clock.now(), bytes / 10)).toMatchObject({ dropped: [] })
  await packClosedHours(room.pool, clock.now())
  const packed = Number(
    (await room.pool.query('select pg_database_size(current_database())::float8 as bytes')).rows[0].bytes,
  )
  // Just so much over that the oldest day is enough.
  const { dropped } = await keepDiskBudget(room.pool, clock.now(), (packed - 200_000) / 0.95)
  expect(dropped.length).toBeLessThan(3)
  const day = Math.floor((clock.now() - 9 * dayMs) / dayMs)
  const { dropped: all } = await keepDiskBudget(room.pool, clock.now(), packed / 10)
  expect([...dropped, ...all][0]).toBe(`journal_15_${day}`)
  expect((await room.rows()).filter((row) => Number(row.at) > clock.now() - dayMs)).toHaveLength(0)
})

test('the warning comes with the round that finds 80 % used, and not again with the next', async () => {
  const ahead = keeperWith()
  await ahead.start()
  await ahead.round()
  await ahead.stop()
  const { rows } = await room.pool.query('select pg_database_size(current_database())::float8 as bytes')
  const keeper = keeperWith(rows[0].bytes / 0.75)
  const warnings = () => warn.mock.calls.filter(([, text]) => text === 'more than 80 % of the disk budget is used')
  await keeper.round()
  expect(warnings()).toHaveLength(0)
  // A tenth of the database more: 82 %.
  await room.pool.query(
    `create table filler as select repeat('x', 1000) as text from generate_series(1, ($1::float8 / 10000)::int)`,
    [rows[0].bytes],
  )
  await keeper.round()
  expect(warnings()).toHaveLength(1)
  await keeper.round()
  expect(warnings()).toHaveLength(1)
})

test('a round does everything and goes on when a step fails', async () => {
  const keeper = keeperWith(1)
  await room.journal.append(room.report(1, { a: 1 }, clock.now() - 3 * 3_600_000))
  await keeper.start()
  await room.pool.query('alter table device_gone rename to hidden')
  await keeper.round()
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ what: 'deleted devices' }), expect.any(String))
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ diskBudget: 1 }), expect.any(String))
  expect(await count('history_day')).toBe(1)
  await keeper.stop()
})
