import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { JournalKind } from '#ports/journal.ts'
import type { Place, Tail } from '#ports/journal-tail.ts'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { makePgTail } from './pg-tail.ts'

let database: ScratchDatabase
let pool: pg.Pool
let tail: Tail
beforeAll(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  pool = new pg.Pool({ connectionString: database.url })
  // Each look takes a snapshot of its own.
  tail = makePgTail(pool, -1)
  await pool.query('select journal_make_day(7::smallint, $1::integer)', [day])
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const dayMs = 86_400_000
const day = Math.floor(Date.now() / dayMs)
const begun = day * dayMs
let last = 0

type Queries = Pick<pg.ClientBase, 'query'>

/** A row whose number is also its place in the test. @param xid undefined: that of the transaction */
async function add(db: Queries, { at = begun, xid }: { at?: number; xid?: string } = {}): Promise<number> {
  last += 1
  await db.query(
    `insert into journal (at, seq, device_id, device_time, code, latency, log_days, kind, up, adds, product_id, topic, method,
       token, msg, data_id, content ${xid ? ', xid' : ''})
     values ($1, $2, 1, 0, 200, 0, 7, $3, true, true, 'p', '', 'report', '', '', '', '{}' ${xid ? ', $4::xid8' : ''})`,
    [at, last, JournalKind.property, ...(xid ? [xid] : [])],
  )
  return last
}

const kinds = [JournalKind.property]

/** Everything from a place on, and where it ends. */
async function readAll(place: Place, most = 100): Promise<{ seqs: number[]; next: Place }> {
  const seqs: number[] = []
  let at = place
  for (;;) {
    const { rows, next, more } = await tail.journal(at, kinds, most)
    seqs.push(...rows.map(({ seq }) => seq))
    at = next
    if (!more) return { seqs, next }
  }
}

async function inTransaction(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('what is committed late is not passed over, and nothing comes twice', async () => {
  const start = await tail.begin()
  await inTransaction(async (slow) => {
    const late = await add(slow, { at: begun + 1 })
    const early = await add(pool, { at: begun + 2 })
    const first = await readAll(start)
    expect(first.seqs).toEqual([early])
    expect((await readAll(first.next)).seqs).toEqual([])
    await slow.query('commit')
    const second = await readAll(first.next)
    expect(second.seqs).toEqual([late])
    expect((await readAll(second.next)).seqs).toEqual([])
  })
})

test('portions follow each other within a transaction and between them', async () => {
  const start = await tail.begin()
  const made: number[] = []
  await inTransaction(async (client) => {
    for (let i = 0; i < 5; i++) made.push(await add(client))
    await client.query('commit')
  })
  for (let i = 0; i < 4; i++) made.push(await add(pool))
  expect((await readAll(start, 2)).seqs).toEqual(made)
})

test('transactions are sorted by their number, not by its digits', async () => {
  const place: Place = { seen: '90:90:', seenAt: begun }
  const [newer, older] = [await add(pool, { xid: '100' }), await add(pool, { xid: '99' })]
  const { seqs } = await readAll(place, 1)
  expect(seqs.indexOf(older)).toBeLessThan(seqs.indexOf(newer))
  expect(seqs.filter((seq) => seq === older || seq === newer)).toEqual([older, newer])
})

test('a replay brings what came since a moment, also from before rows named their transaction, then what is new', async () => {
  const from = begun + 1_000_000
  const old = await add(pool, { at: from })
  await pool.query('update journal set xid = null where seq = $1', [old])
  await add(pool, { at: from - 1 })
  const known = await add(pool, { at: from + 5 })
  const place = await tail.begin(from)
  const fresh = await add(pool, { at: from + 1 })
  expect(await tail.countJournal(place, kinds, 100)).toBe(3)
  expect((await readAll(place, 1)).seqs).toEqual([old, known, fresh])
})

test('transactions that wrote nothing here are passed over, however many there are', async () => {
  const start = await tail.begin()
  const spend = 'do $$ begin for i in 1..3000 loop perform pg_current_xact_id(); commit; end loop; end $$'
  const first = await add(pool)
  await pool.query(spend)
  const second = await add(pool)
  await pool.query(spend)
  expect((await readAll(start, 2)).seqs).toEqual([first, second])
})

test('what stayed under way while much came comes in portions, before what follows it', async () => {
  const start = await tail.begin()
  await inTransaction(async (slow) => {
    const late = [await add(slow), await add(slow), await add(slow)]
    const early: number[] = []
    for (let i = 0; i < 5; i++) early.push(await add(pool))
    const first = await readAll(start, 2)
    expect(first.seqs).toEqual(early)
    await slow.query('commit')
    const last = await add(pool)
    expect(await tail.countJournal(first.next, kinds, 100)).toBe(4)
    expect(await tail.countJournal(first.next, kinds, 3)).toBe(3)
    const second = await readAll(first.next, 2)
    expect(second.seqs).toEqual([...late, last])
    expect((await readAll(second.next)).seqs).toEqual([])
    expect(await tail.countJournal(second.next, kinds, 100)).toBe(0)
  })
})

test('lines that add nothing tell who said what; identifiers may hold anything', async () => {
  const start = await tail.begin()
  await pool.query(
    `insert into journal (at, seq, device_id, device_time, code, latency, log_days, kind, up, adds, product_id, topic, method,
       token, msg, data_id, content)
     values ($1, 7, 5, 12, 404, 0, 7, $2, false, false, 'p', '', 'action', 't"1', 'no, "none"', 'a,b', '{"x":","}')`,
    [begun, JournalKind.action],
  )
  const { rows } = await tail.journal(start, [JournalKind.action], 10)
  const said = { up: false, method: 'action', token: 't"1', code: 404, msg: 'no, "none"' }
  const named = { at: begun, seq: 7, deviceID: 5, deviceTime: 12, productID: 'p', kind: JournalKind.action }
  expect(rows).toEqual([{ ...named, dataID: 'a,b', content: '{"x":","}', adds: false, logDays: 7, said }])
})
