/** How many rows are still to come from a place on. */
import type pg from 'pg'
import type { Place } from '#ports/journal-tail.ts'
import { latestMs, type Table, unseenBy } from './read-since.ts'

/** What its snapshot does not show yet, whatever a newer one shows. */
function unseen(table: Table, { seen, seenAt, after }: Place, most: number) {
  const { select, at, number, xid, where, values } = table
  const n = values.length
  const { underWay, end } = unseenBy(seen)
  return {
    text: `select count(*)::integer as count from (${select} where ${where} and ${at} >= $${n + 1} and ${xid} is not null
      and (${xid} = any($${n + 2}::xid8[]) or ${xid} >= $${n + 3}::xid8)
      and (${xid}, ${at}, ${number}) > ($${n + 4}::xid8, $${n + 5}, $${n + 6}) limit ${most}) waiting`,
    values: [...values, seenAt - latestMs, underWay, String(end), ...(after ?? ['0', 0, -1])],
  }
}

/** What it shows, of a replay. */
function seenAgain(table: Table, { seen }: Place, since: NonNullable<Place['since']>, most: number) {
  const { select, at, number, xid, where, values } = table
  const n = values.length
  return {
    text: `select count(*)::integer as count from (${select} where ${where} and ${at} >= $${n + 1}
      and (${at}, ${number}) > ($${n + 1}, $${n + 2})
      and (${xid} is null or pg_visible_in_snapshot(${xid}, $${n + 3}::pg_snapshot)) limit ${most}) waiting`,
    values: [...values, ...since, seen],
  }
}

export async function countSince(pool: pg.Pool, table: Table, place: Place, most: number): Promise<number> {
  const queries = [unseen(table, place, most), ...(place.since ? [seenAgain(table, place, place.since, most)] : [])]
  let all = 0
  for (const query of queries) all += (await pool.query<{ count: number }>(query)).rows[0]?.count ?? 0
  return Math.min(all, most)
}
