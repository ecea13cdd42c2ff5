import pg from 'pg'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { JournalKind, type StoreDoubt, StoreTimeout } from '#ports/journal.ts'
import { openDeafProxy } from '#testing/deaf-proxy.ts'
import { adminQuery } from '#testing/scratch-database.ts'
import { makePgJournal } from './pg-journal.ts'
import { cutLanes, type JournalRoom, openJournalRoom } from './testing/journal-room.ts'

let room: JournalRoom

beforeEach(async () => {
  room = await openJournalRoom()
})
afterEach(() => room.close())

const tokens = async () => (await room.rows()).map((row) => row.token)

test('an entry is in the database as soon as append resolves, with all it says (decisions.md 4.1)', async () => {
  const entry = room.entry({
    deviceID: 3,
    method: 'report',
    token: 'abc',
    code: 100015,
    msg: '温度超出范围',
    deviceTime: 1_700_000_000_123,
    content: '{"t":"半\\"角\\\\"}',
    dataID: 'x',
    latency: 77,
    logDays: 3,
    up: false,
    kind: JournalKind.action,
  })
  await room.journal.append(entry)
  const [row] = await room.rows()
  expect(row).toMatchObject({
    at: entry.at,
    seq: entry.seq,
    device_id: 3,
    device_time: 1_700_000_000_123,
    code: 100015,
    latency: 77,
    log_days: 3,
    kind: JournalKind.action,
    up: false,
    adds: false,
    product_id: entry.productID,
    token: 'abc',
    msg: '温度超出范围',
    data_id: 'x',
    content: '{"t":"半\\"角\\\\"}',
  })
  expect(room.journal.waiting).toBe(0)
})

test('only reports with values and accepted new events add to the history', async () => {
  const event = { kind: JournalKind.event, dataID: 'alarm' } as const
  await room.journal.append(room.entry({ token: 'values', values: { a: 1 } }))
  await room.journal.append(room.entry({ token: 'refused', code: 100006 }))
  await room.journal.append(room.entry({ token: 'event', ...event }))
  await room.journal.append(room.entry({ token: 'again', ...event, repeated: true }))
  await room.journal.append(room.entry({ token: 'down', ...event, up: false }))
  expect((await room.rows('adds')).map((row) => row.token).sort()).toEqual(['event', 'values'])
})

test('thousands of callers share few commits and each device keeps its order', async () => {
  const order: string[] = []
  await Promise.all(
    Array.from({ length: 4_000 }, (_, n) =>
      room.journal.append(room.entry({ deviceID: 1 + (n % 4), token: String(n) })).then(() => order.push(String(n))),
    ),
  )
  expect(await room.rows()).toHaveLength(4_000)
  for (const device of [0, 1, 2, 3]) {
    const own = order.map(Number).filter((n) => n % 4 === device)
    expect(own).toEqual(own.toSorted((a, b) => a - b))
  }
  const { values } = (await room.metrics.getSingleMetric('ithings_journal_commit_seconds')?.get()) ?? { values: [] }
  const batches = values.find((one) => 'metricName' in one && one.metricName?.toString().endsWith('_count'))?.value ?? 0
  expect(batches).toBeGreaterThan(0)
  expect(batches).toBeLessThan(200)
})

test('text that PostgreSQL cannot hold harms neither itself nor its neighbours', async () => {
  const bad = room.entry({ token: 'a\0b', topic: 'x\0y', content: 'not JSON \0 at all', msg: '\ud800' })
  const others = Array.from({ length: 50 }, (_, n) => room.entry({ token: `ok${n}` }))
  await Promise.all([...others.slice(0, 25), bad, ...others.slice(25)].map((one) => room.journal.append(one)))
  const stored = await tokens()
  expect(stored).toHaveLength(51)
  expect(stored).toContain('ab')
})

test.each([
  ['a number that has no room', { logDays: 99_999 }],
  ['days of logs that do not exist', { logDays: 5 }],
  ['text that is no JSON where values should be', { values: { a: 1 }, content: '{"a":"\\u00"' }],
])('an entry with %s is refused alone', async (_, fields) => {
  const others = Array.from({ length: 20 }, (__, n) => room.entry({ token: `ok${n}` }))
  const bad = room.journal.append(room.entry({ token: 'bad', ...fields }))
  const stored = Promise.all(others.map((one) => room.journal.append(one)))
  await expect(bad).rejects.toThrow()
  await stored
  expect(await tokens()).toEqual(others.map((one) => one.token))
})

test('a value with a character that jsonb lacks can still be packed', async () => {
  await room.journal.append(room.report(1, { text: 'a\0b\ud800c', nested: { 'k\0': ['\0'] } }, Date.now()))
  const { rows } = await room.pool.query('select content::jsonb as content from journal')
  expect(rows[0].content).toEqual({ text: 'ab\ufffdc', nested: { k: [''] } })
})

test('a day without a partition gets one', async () => {
  const at = Date.now() - 40 * 86_400_000
  await Promise.all([1, 2, 3].map((n) => room.journal.append(room.entry({ at, deviceID: n, logDays: 15 }))))
  expect(await room.rows(`at = ${at}`)).toHaveLength(3)
})

test('connections that break in the middle lose nothing and double nothing', async () => {
  const acknowledged: string[] = []
  let n = 0
  for (let round = 0; round < 8; round++) {
    const appends = Array.from({ length: 500 }, () => {
      const token = String(n++)
      const entry = room.entry({ deviceID: 1 + (n % 4), token })
      return room.journal.append(entry).then(() => acknowledged.push(token))
    })
    await cutLanes(room)
    await Promise.all(appends)
  }
  const stored = await tokens()
  expect(acknowledged).toHaveLength(n)
  expect(stored.toSorted()).toEqual(acknowledged.toSorted())
})

test('a database that is away for a moment is found again, and who waited is served', async () => {
  await adminQuery(inject('databaseUrl'), `alter database ${room.name} with allow_connections false`)
  await cutLanes(room)
  const waiting = room.journal.append(room.entry({ token: 'patient' }))
  await expect.poll(() => room.journal.waiting).toBe(1)
  await adminQuery(inject('databaseUrl'), `alter database ${room.name} with allow_connections true`)
  await waiting
  expect(await tokens()).toEqual(['patient'])
})

test('what is not stored in 5 s is refused, and the journal works again afterwards', async () => {
  const locker = new pg.Client({ connectionString: room.url })
  await locker.connect()
  await locker.query('begin')
  await locker.query('lock table journal in access exclusive mode')
  await expect(room.journal.append(room.entry({ token: 'late' }))).rejects.toThrow(StoreTimeout)
  await locker.query('rollback')
  await locker.end()
  await room.journal.append(room.entry({ token: 'fine' }))
  expect(await tokens()).toContain('fine')
})

test('what a device sent after a message that is refused is refused with it, so that it comes again in its order', async () => {
  const locker = new pg.Client({ connectionString: room.url })
  await locker.connect()
  await locker.query('begin; lock table journal in access exclusive mode')
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const ends = (token: string, deviceID: number) =>
    room.journal.append(room.entry({ token, deviceID })).then(
      () => 'stored',
      (error: Error) => (error instanceof StoreTimeout ? 'refused' : error),
    )
  const first = ends('first', 1)
  vi.advanceTimersByTime(4_000)
  const second = ends('second', 1)
  const other = ends('other', 1 + 4 * 5 * 6)
  vi.advanceTimersByTime(1_500)
  expect(await first).toBe('refused')
  await locker.query('rollback')
  await locker.end()
  expect(await second).toBe('refused')
  expect(await other).toBe('stored')
  expect(await tokens()).toEqual(['other'])
})

test('what was stored without an answer in 5 s is refused, and told to be stored once the database answers', async () => {
  const proxy = await openDeafProxy(room.url)
  const journal = makePgJournal({ databaseUrl: proxy.url, nodeNumber: 2, log: room.log, metrics: new Registry() })
  await journal.start()
  await journal.append(room.entry({ token: 'before' }))
  proxy.loses = 'unheard'
  const refused = journal.append(room.entry({ token: 'unheard' })).then(
    () => undefined,
    (error: StoreDoubt) => error,
  )
  const error = await refused
  expect(error).toBeInstanceOf(StoreTimeout)
  expect(await error?.storedAfterAll).toBe(true)
  await journal.append(room.entry({ token: 'fine' }))
  expect((await tokens()).toSorted()).toEqual(['before', 'fine', 'unheard'])
  await journal.stop()
  await proxy.close()
})

test('what was on its way and never arrived is told not to be stored', async () => {
  const proxy = await openDeafProxy(room.url)
  const journal = makePgJournal({ databaseUrl: proxy.url, nodeNumber: 2, log: room.log, metrics: new Registry() })
  await journal.start()
  // The statement is held up there, and its end is not heard here.
  const locker = new pg.Client({ connectionString: room.url })
  await locker.connect()
  await locker.query('begin; lock table journal in access exclusive mode')
  proxy.loses = 'lost'
  const error = await journal.append(room.entry({ token: 'lost' })).then(
    () => undefined,
    (error: StoreDoubt) => error,
  )
  // Given free while it waits, the table would take it after all.
  const held = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike 'copy%'`
  await expect.poll(async () => (await room.pool.query(held)).rowCount).toBe(0)
  await locker.query('rollback')
  await locker.end()
  expect(await error?.storedAfterAll).toBe(false)
  expect(await tokens()).toEqual([])
  await journal.stop()
  await proxy.close()
})

test('after stop nothing is taken in, but what waited is stored', async () => {
  const waiting = Array.from({ length: 300 }, (_, n) => room.journal.append(room.entry({ token: String(n) })))
  await room.journal.stop()
  await Promise.all(waiting)
  await expect(room.journal.append(room.entry())).rejects.toThrow('not open')
  expect(await room.rows()).toHaveLength(300)
})

test('numbers of entries never repeat within a server nor between servers', () => {
  const other = makePgJournal({ databaseUrl: room.url, nodeNumber: 2, log: room.log, metrics: new Registry() })
  const seen = new Set([...Array(1_000)].flatMap(() => [room.journal.nextSeq(), other.nextSeq()]))
  expect(seen.size).toBe(2_000)
  expect(Math.max(...seen)).toBeLessThan(2 ** 40)
})

test('batches of several broken connections in a row are each settled', async () => {
  const tokensOf = (n: number) => Array.from({ length: 50 }, (_, i) => `${n}-${i}`)
  const all = [0, 1, 2, 3, 4, 5].map(tokensOf)
  const appended = all.map(async (batch, n) => {
    const stored = Promise.all(
      batch.map((token, i) => room.journal.append(room.entry({ deviceID: 1 + (i % 4), token }))),
    )
    if (n % 2 === 0) await cutLanes(room)
    await stored
  })
  await Promise.all(appended)
  await expect.poll(() => room.journal.waiting).toBe(0)
  expect((await tokens()).toSorted()).toEqual(all.flat().toSorted())
})
