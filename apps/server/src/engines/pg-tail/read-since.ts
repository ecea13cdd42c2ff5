/** Portions of any table whose rows have `xid`, along a place (ports/journal-tail.ts). */
import { dayMs } from '@ithings/contract/durations.ts'
import type pg from 'pg'
import type { Place, Portion } from '#ports/journal-tail.ts'

export interface TailTable<Stored, Row> {
  /** Of its statements. */
  name: string
  /** Columns and joins, without `where`; the transaction as text. */
  select: string
  /** With the name of their table: the bare names are those of the answer, and texts are sorted as texts. */
  at: string
  number: string
  xid: string
  /** Further conditions, numbered from $1. */
  where: string
  values: unknown[]
  placeOf(stored: Stored): [xid: string, at: number, number: number]
  read(stored: Stored): Row
}

export type Table = Omit<TailTable<never, unknown>, 'placeOf' | 'read'>

/** A message is not journalled longer than so after its receipt: older partitions need not be looked at. */
export const latestMs = dayMs

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

/**
 * Transactions that one query looks at: so many that about a portion comes of them. Without an upper end PostgreSQL, whose
 * statistics know nothing of the newest rows, reads and sorts the whole backlog for each portion.
 */
const [firstWidth, widest] = [64, 4_096]
/** After so many queries that found nothing the caller may note how far it has come. */
const mostEmpty = 50

export class Width {
  #count = firstWidth

  get count(): bigint {
    return BigInt(this.#count)
  }
  /** @param took transactions that filled a portion; undefined: it was not filled by half */
  learn(took?: bigint): void {
    this.#count = took === undefined ? Math.min(this.#count * 2, widest) : Math.max(1, Number(took))
  }
}

/** `xmin:xmax:list`: not shown are those of the list, and all from xmax on. */
export function unseenBy(snapshot: string): { underWay: string[]; end: bigint } {
  const [, end = '0', list = ''] = snapshot.split(':')
  return { underWay: list === '' ? [] : list.split(','), end: BigInt(end) }
}

function replayQuery(table: Table, place: Place, most: number) {
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

/** Transactions of a list, or from one up to before another. */
type Among = { list: string[] } | { from: bigint; before: bigint }

function newQuery(table: Table, among: Among, { seenAt, until, after }: Place, most: number) {
  const { select, name, at, number, xid, where, values } = table
  const n = values.length
  const [kind, condition, chosen] =
    'list' in among
      ? ['listed', `${xid} is not null and ${xid} = any($${n + 6}::xid8[])`, [among.list]]
      : ['range', `${xid} >= $${n + 6}::xid8 and ${xid} < $${n + 7}::xid8`, [String(among.from), String(among.before)]]
  return {
    // Planned once a connection: it costs more than running it.
    name: `tail ${name} ${kind} ${most}`,
    text: `${select} where ${where} and ${at} >= $${n + 1} and ${condition}
      and (${xid}, ${at}, ${number}) > ($${n + 2}::xid8, $${n + 3}, $${n + 4})
      and pg_visible_in_snapshot(${xid}, $${n + 5}::pg_snapshot)
      order by ${xid}, ${at}, ${number} limit ${most}`,
    values: [...values, seenAt - latestMs, ...(after ?? ['0', 0, -1]), until?.snapshot, ...chosen],
  }
}

async function readReplay<Stored extends object, Row>(
  pool: pg.Pool,
  table: TailTable<Stored, Row>,
  place: Place,
  most: number,
): Promise<Portion<Row>> {
  const { rows } = await pool.query<Stored>(replayQuery(table, place, most))
  const last = rows.at(-1)
  const { since: _, ...rest } = place
  const read = rows.map(table.read)
  if (!last || rows.length < most) return { rows: read, next: rest, more: true }
  const [, at, number] = table.placeOf(last)
  return { rows: read, next: { ...place, since: [at, number] }, more: true }
}

export async function readSince<Stored extends object, Row>(
  pool: pg.Pool,
  snapshotNow: () => Promise<SnapshotTaken>,
  { table, width }: { table: TailTable<Stored, Row>; width: Width },
  place: Place,
  most: number,
): Promise<Portion<Row>> {
  if (place.since) return readReplay(pool, table, place, most)
  const until = place.until ?? (await snapshotNow())
  const under: Place = { ...place, until }
  const stored: Stored[] = []
  const upTo = (after: NonNullable<Place['after']>) => ({
    rows: stored.map(table.read),
    next: { ...under, after },
    more: true,
  })
  const { underWay, end: seenEnd } = unseenBy(place.seen)
  let from = BigInt(place.after?.[0] ?? 0)
  if (from < seenEnd) {
    const list = underWay.filter((xid) => BigInt(xid) >= from)
    if (list.length > 0) stored.push(...(await pool.query<Stored>(newQuery(table, { list }, under, most))).rows)
    const last = stored.at(-1)
    if (last && stored.length === most) return upTo(table.placeOf(last))
    from = seenEnd
  }
  const { end } = unseenBy(until.snapshot)
  for (let turn = 0; from < end; turn++) {
    const before = from + width.count < end ? from + width.count : end
    const found = (await pool.query<Stored>(newQuery(table, { from, before }, under, most))).rows
    stored.push(...found)
    const last = found.at(-1)
    if (last && found.length === most) {
      const place = table.placeOf(last)
      width.learn(BigInt(place[0]) - from + 1n)
      return upTo(place)
    }
    if (before < end && found.length < most / 2) width.learn()
    from = before
    if (from < end && (stored.length > 0 || turn === mostEmpty)) return upTo([String(from), 0, -1])
  }
  const next = { seen: until.snapshot, seenAt: until.at }
  return { rows: stored.map(table.read), next, more: place.until !== undefined }
}
