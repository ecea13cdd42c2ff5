/** Partitions of the journal and of the packed history: made ahead, dropped when their time is over. */
import { dayMs } from '@ithings/contract/durations.ts'
import type pg from 'pg'

/** product.log_days (decisions.md 2 "Log retention"). */
const logDaysChoices = [1, 3, 7, 15]
const daysAhead = 2
export const historyBlockDays = 30

export interface Queries {
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>
}

export async function makeDayPartition(client: Queries, logDays: number, at: number): Promise<void> {
  await client.query('select journal_make_day($1::smallint, $2::integer)', [logDays, Math.floor(at / dayMs)])
}

export async function makePartitionsAhead(db: Queries, now: number): Promise<void> {
  const today = Math.floor(now / dayMs)
  for (const logDays of logDaysChoices) {
    for (let day = today - 1; day <= today + daysAhead; day++) await makeDayPartition(db, logDays, day * dayMs)
  }
  const block = Math.floor(today / historyBlockDays)
  for (const one of [block, block + 1]) await db.query('select history_make_part($1::integer)', [one])
}

export interface Part {
  name: string
  /** First ms after it. */
  end: number
  logDays: number
  bytes: number
}

export async function listJournalParts(db: Queries): Promise<Part[]> {
  const { rows } = await db.query(
    `select relname as name, pg_total_relation_size(c.oid)::float8 as bytes from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'parts' and relname ~ '^journal_[0-9]+_[0-9]+$' and relkind = 'r'`,
  )
  return (rows as Array<{ name: string; bytes: number }>).map(({ name, bytes }) => {
    const [, logDays, day] = name.split('_').map(Number)
    return { name, bytes, logDays: logDays ?? 0, end: ((day ?? 0) + 1) * dayMs }
  })
}

/**
 * Writers wait while a partition goes: for at most this long, then the drop gives up and is tried at the next round.
 * @returns whether it is gone
 */
export async function dropPart(db: pg.Pool, name: string): Promise<boolean> {
  const client = await db.connect()
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = '200ms'`)
    await client.query(`drop table if exists parts.${name}`)
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    if ((error as { code?: string }).code === '55P03') return false
    throw error
  } finally {
    client.release()
  }
}
