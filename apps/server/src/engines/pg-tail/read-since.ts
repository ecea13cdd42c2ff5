/** Portions of any table whose rows have `xid`, along a place (ports/journal-tail.ts). */
import { dayMs } from '@ithings/contract/durations.ts'
import type pg from 'pg'
import type { Place, Portion } from '#ports/journal-tail.ts'

export interface TailTable {
  /** Columns and joins, without `where`; answers `at`, `number` and `xid` as text. */
  select: string
  /** With the name of their table: the bare names are those of the answer, and texts are sorted as texts. */
  at: string
  number: string
  xid: string
  /** Further conditions, numbered from $1. */
  where: string
  values: unknown[]
}

interface Sorted {
  at: number
  number: number
  xid: string | null
}

/** A message is not journalled longer than so after its receipt: older partitions need not be looked at. */
const latestMs = dayMs

const takeSnapshot = `select pg_current_snapshot()::text as snapshot, floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at`

export interface SnapshotTaken {
  snapshot: string
  at: number
}

/** Whoever asks within the same moment gets the same one, so that they ask for the same rows next. */
export function makeSnapshots(pool: pg.Pool, momentMs: number): () => Promise<SnapshotTaken> {
  let taken: { by: number; snapshot: Promise<SnapshotTaken> } | undefined
  return () => {
    const now = performance.now()
    if (!taken || now - taken.by > momentMs) {
      const snapshot = pool.query<SnapshotTaken>(takeSnapshot).then(({ rows }) => rows[0] as SnapshotTaken)
      taken = { by: now, snapshot }
      snapshot.catch(() => {
        taken = undefined
      })
    }
    return taken.snapshot
  }
}

/** The first transaction that may not have been seen. */
const firstOf = (snapshot: string): string => snapshot.slice(0, snapshot.indexOf(':'))

function replayQuery(table: TailTable, place: Place, most: number) {
  const { select, at, number, xid, where, values } = table
  const n = values.length
  const [sinceAt, sinceNumber] = place.since ?? [0, -1]
  return {
    text: `${select} where ${where} and ${at} >= $${n + 1} and (${at}, ${number}) > ($${n + 1}, $${n + 2})
      and (${xid} is null or pg_visible_in_snapshot(${xid}, $${n + 3}::pg_snapshot))
      order by ${at}, ${number} limit ${most}`,
    values: [...values, sinceAt, sinceNumber, place.seen],
  }
}

function newQuery(table: TailTable, { seen, seenAt, until, after }: Place, most: number) {
  const { select, at, number, xid, where, values } = table
  const n = values.length
  const [afterXid, afterAt, afterNumber] = after ?? [firstOf(seen), 0, -1]
  return {
    text: `${select} where ${where} and ${at} >= $${n + 1} and ${xid} >= $${n + 2}::xid8
      and (${xid}, ${at}, ${number}) > ($${n + 2}::xid8, $${n + 3}, $${n + 4})
      and not pg_visible_in_snapshot(${xid}, $${n + 5}::pg_snapshot)
      and pg_visible_in_snapshot(${xid}, $${n + 6}::pg_snapshot)
      order by ${xid}, ${at}, ${number} limit ${most}`,
    values: [...values, seenAt - latestMs, afterXid, afterAt, afterNumber, seen, until?.snapshot],
  }
}

export async function readSince<Row extends Sorted>(
  pool: pg.Pool,
  snapshotNow: () => Promise<SnapshotTaken>,
  table: TailTable,
  place: Place,
  most: number,
): Promise<Portion<Row>> {
  if (place.since) {
    const { rows } = await pool.query<Row>(replayQuery(table, place, most))
    const last = rows.at(-1)
    const { since: _, ...rest } = place
    if (!last || rows.length < most) return { rows, next: rest, more: true }
    return { rows, next: { ...place, since: [last.at, last.number] }, more: true }
  }
  let under = place
  if (!place.until) {
    under = { ...place, until: await snapshotNow() }
  }
  const { rows } = await pool.query<Row>(newQuery(table, under, most))
  const last = rows.at(-1)
  const { snapshot = place.seen, at = place.seenAt } = under.until ?? {}
  if (!last || rows.length < most)
    return { rows, next: { seen: snapshot, seenAt: at }, more: place.until !== undefined }
  return { rows, next: { ...under, after: [last.xid ?? '0', last.at, last.number] }, more: true }
}
