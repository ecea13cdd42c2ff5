/**
 * Turns closed hours of the journal into the packed history and the list of events (decisions.md 5). The state is one
 * row that moves on in the same transaction as the packs, so a crash repeats nothing and loses nothing; of several
 * servers the one that holds the row packs.
 */
import { hourMs } from '@ithings/contract/durations.ts'
import type pg from 'pg'
import { blocksOfHour, nextBusyHour, packEvents, packValues, sliceEnds } from './pack-sql.ts'

/** Longer than anything received in the hour can take to be stored or refused. */
const graceMs = 120_000
/** Messages of one transaction. */
const sliceRows = 200_000
const lastDevice = Number.MAX_SAFE_INTEGER

export interface PackResult {
  hours: number
  /** Nothing closed is left. */
  done: boolean
}

interface PackState {
  hour: number
  nextDevice: number
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

const readState = async (db: pg.Pool): Promise<PackState> => {
  const { rows } = await db.query('select hour, next_device from pack_state')
  return { hour: Number(rows[0]?.hour), nextDevice: Number(rows[0]?.next_device) }
}

/** Properties that keep no history, as two parallel lists for unnest. */
async function unrecorded(db: pg.Pool): Promise<[string[], string[]]> {
  const { rows } = await db.query<{ product_id: string; identifier: string }>(
    `select product_id, identifier from product_function where type = 1 and definition ->> 'isNoRecord' = 'true'`,
  )
  return [rows.map((row) => row.product_id), rows.map((row) => row.identifier)]
}

/** @returns false when another server packs or has moved on */
async function packSlice(
  pool: pg.Pool,
  { hour, nextDevice }: PackState,
  until: number,
  isLast: boolean,
  hidden: [string[], string[]],
): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `set local synchronous_commit = off; set local work_mem = '64MB'; set local statement_timeout = 0`,
    )
    const { rowCount } = await client.query(
      'select from pack_state where hour = $1 and next_device = $2 for update skip locked',
      [hour, nextDevice],
    )
    if (rowCount === 0) {
      await client.query('rollback')
      client.release()
      return false
    }
    const slice = [hour * hourMs, (hour + 1) * hourMs, nextDevice, until]
    const hides = hidden[0].length > 0
    await client.query(packValues(hides), hides ? [...slice, ...hidden] : slice)
    await client.query(packEvents, slice)
    await client.query('update pack_state set hour = $1, next_device = $2, packed_at = now()', [
      isLast ? hour + 1 : hour,
      isLast ? 0 : until,
    ])
    await client.query('commit')
    client.release()
    return true
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}

async function makeBlocks(pool: pg.Pool, hour: number): Promise<void> {
  const { rows } = await pool.query<{ block: number }>(blocksOfHour, [hour * hourMs, (hour + 1) * hourMs])
  for (const { block } of rows) await pool.query('select history_make_part($1::integer)', [block])
}

async function packHour(pool: pg.Pool, state: PackState, pause: (ms: number) => Promise<void>): Promise<boolean> {
  const { hour } = state
  const range = [hour * hourMs, (hour + 1) * hourMs]
  const hidden = await unrecorded(pool)
  const { rows } = await pool.query<{ until: number }>(sliceEnds, [...range, state.nextDevice, sliceRows])
  const ends = rows.map((row) => Number(row.until)).slice(0, -1)
  ends.push(lastDevice)
  let { nextDevice } = state
  for (const [index, until] of ends.entries()) {
    const begun = performance.now()
    const isLast = index === ends.length - 1
    const pack = () => packSlice(pool, { hour, nextDevice }, until, isLast, hidden)
    const packed = await pack().catch(async (error: { code?: string }) => {
      // A value of a month that nobody has sent one of before.
      if (error.code !== '23514') throw error
      await makeBlocks(pool, hour)
      return pack()
    })
    if (!packed) return false
    nextDevice = until
    await pause(performance.now() - begun)
  }
  return true
}

/** Hours without anything to pack are passed in one step. */
async function skipEmpty(pool: pg.Pool, { hour, nextDevice }: PackState, closed: number): Promise<PackState> {
  if (nextDevice > 0) return { hour, nextDevice }
  if (hour >= closed) return { hour, nextDevice }
  const { rows } = await pool.query<{ hour: number }>(nextBusyHour, [hour, closed])
  const next = Number(rows[0]?.hour ?? closed)
  if (next > hour) {
    await pool.query('update pack_state set hour = $2 where hour = $1 and next_device = 0', [hour, next])
  }
  return readState(pool)
}

/**
 * Packs every hour that is closed by now.
 * @param pause is told how long the last transaction took; lets others work in between
 * @param stopped asked between hours
 */
export async function packClosedHours(
  pool: pg.Pool,
  now: number,
  pause: (ms: number) => Promise<void> = async () => {},
  stopped: () => boolean = () => false,
): Promise<PackResult> {
  const closed = Math.floor((now - graceMs) / hourMs)
  let hours = 0
  while (!stopped()) {
    const state = await skipEmpty(pool, await readState(pool), closed)
    if (state.hour >= closed) return { hours, done: true }
    if (!(await packHour(pool, state, pause))) return { hours, done: false }
    hours++
  }
  return { hours, done: false }
}
