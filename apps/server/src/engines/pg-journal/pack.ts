/**
 * Turns closed hours of the journal into the packed history and the list of events (decisions.md 5). An hour is cut into
 * pieces of devices; a piece goes in the same transaction as its packs come, so a crash repeats nothing and loses
 * nothing, and any number of servers pack at once.
 */
import { hourMs } from '@ithings/contract/durations.ts'
import type pg from 'pg'
import { blocksOfHour, cutHour, nextBusyHour, packEvents, packValues, takePiece } from './pack-sql.ts'

/** Longer than anything received in the hour can take to be stored or refused. */
const graceMs = 120_000
/** Messages of one transaction. */
const pieceRows = 200_000

export interface PackResult {
  /** That were finished here. */
  hours: number
  /** Nothing closed is left. */
  done: boolean
}

export interface PackOptions {
  /** Is told how long the last transaction took; lets others work in between. */
  pause?(ms: number): Promise<void>
  /** Asked between pieces. */
  stopped?(): boolean
  rowsAtOnce?: number
}

export async function ensurePackState(pool: pg.Pool, now: number): Promise<void> {
  const { rowCount } = await pool.query('select from pack_state')
  if (rowCount) return
  const { rows } = await pool.query<{ first: number | null }>('select min(at) as first from journal')
  const first = Number(rows[0]?.first ?? now)
  await pool.query('insert into pack_state (hour) values ($1) on conflict do nothing', [
    Math.floor(Math.min(first, now) / hourMs),
  ])
}

const readHour = async (db: pg.Pool): Promise<number> => {
  const { rows } = await db.query('select hour from pack_state')
  return Number(rows[0]?.hour)
}

/** All or nothing; `work` says whether there was anything to keep. */
async function inTransaction(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<boolean>): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `set local synchronous_commit = off; set local work_mem = '64MB'; set local statement_timeout = 0`,
    )
    const kept = await work(client)
    await client.query(kept ? 'commit' : 'rollback')
    client.release()
    return kept
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}

const timesOf = (hour: number) => [hour * hourMs, (hour + 1) * hourMs]

/** One of the servers cuts the hour; the others wait for it here. */
const cut = (pool: pg.Pool, hour: number, rowsAtOnce: number) =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ next_device: number }>(
      'select next_device from pack_state where hour = $1 and not is_cut for update',
      [hour],
    )
    if (!rows[0]) return false
    await client.query('delete from pack_piece')
    await client.query(cutHour, [...timesOf(hour), rows[0].next_device, rowsAtOnce, hour])
    await client.query('update pack_state set is_cut = true, next_device = 0')
    return true
  })

/** Properties that keep no history, as two parallel lists for unnest. */
async function unrecorded(db: pg.Pool): Promise<[string[], string[]]> {
  const { rows } = await db.query<{ product_id: string; identifier: string }>(
    `select product_id, identifier from product_function where type = 1 and definition ->> 'isNoRecord' = 'true'`,
  )
  return [rows.map((row) => row.product_id), rows.map((row) => row.identifier)]
}

/** @returns false when no piece of the hour is free */
const packPiece = (pool: pg.Pool, hour: number, hidden: [string[], string[]]) =>
  inTransaction(pool, async (client) => {
    // Whoever writes history by another way (backfill.ts) holds the state meanwhile.
    const state = await client.query('select from pack_state where hour = $1 for share', [hour])
    if (state.rowCount === 0) return false
    const { rows } = await client.query<{ from_device: number; until_device: number }>(takePiece, [hour])
    if (!rows[0]) return false
    const piece = [...timesOf(hour), rows[0].from_device, rows[0].until_device]
    const hides = hidden[0].length > 0
    await client.query(packValues(hides), hides ? [...piece, ...hidden] : piece)
    await client.query(packEvents, piece)
    return true
  })

async function makeBlocks(pool: pg.Pool, hour: number): Promise<void> {
  const { rows } = await pool.query<{ block: number }>(blocksOfHour, timesOf(hour))
  for (const { block } of rows) await pool.query('select history_make_part($1::integer)', [block])
}

async function packHour(pool: pg.Pool, hour: number, { pause, stopped, rowsAtOnce = pieceRows }: PackOptions) {
  await cut(pool, hour, rowsAtOnce)
  const hidden = await unrecorded(pool)
  const pack = () => packPiece(pool, hour, hidden)
  while (!stopped?.()) {
    const begun = performance.now()
    const packed = await pack().catch(async (error: { code?: string }) => {
      // A value of a month that nobody has sent one of before.
      if (error.code !== '23514') throw error
      await makeBlocks(pool, hour)
      return pack()
    })
    if (!packed) return
    await pause?.(performance.now() - begun)
  }
}

/** @returns whether the hour is over, and this server was the one that saw it */
async function moveOn(pool: pg.Pool, hour: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update pack_state set hour = hour + 1, is_cut = false, packed_at = now()
     where hour = $1 and is_cut and not exists (select from pack_piece)`,
    [hour],
  )
  return rowCount === 1
}

/** Hours without anything to pack are passed in one step. */
async function skipEmpty(pool: pg.Pool, hour: number, closed: number): Promise<number> {
  if (hour >= closed) return hour
  const { rows } = await pool.query<{ hour: number }>(nextBusyHour, [hour, closed])
  const next = Number(rows[0]?.hour ?? closed)
  if (next === hour) return hour
  await pool.query('update pack_state set hour = $2 where hour = $1 and next_device = 0 and not is_cut', [hour, next])
  return readHour(pool)
}

/** Packs every hour that is closed by now, together with whoever does the same. */
export async function packClosedHours(pool: pg.Pool, now: number, options: PackOptions = {}): Promise<PackResult> {
  const closed = Math.floor((now - graceMs) / hourMs)
  let hours = 0
  while (!options.stopped?.()) {
    const hour = await skipEmpty(pool, await readHour(pool), closed)
    if (hour >= closed) return { hours, done: true }
    await packHour(pool, hour, options)
    if (await moveOn(pool, hour)) hours++
    // Others are at the last pieces, and go on from there.
    else if ((await readHour(pool)) === hour) return { hours, done: false }
  }
  return { hours, done: false }
}
