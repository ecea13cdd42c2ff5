/** The filters that both logs have in common, as conditions of one query. */
import { successCode } from '@ithings/contract/envelope.ts'
import { type DateRange, LogResult } from '@ithings/contract/features/logs.ts'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { readDayZone } from '#db/day-zone.ts'
import { containsPattern } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { toInstants } from './date-range.ts'

interface CommonFilter {
  dateRange?: DateRange
  /** The name that existing consoles use (http-api.md 2.7). */
  date?: DateRange
  userID?: number | undefined
  result?: LogResult | undefined
}

type Condition = RawBuilder<SqlBool>

/** `texts` maps columns to the text that they must contain. */
export async function logConditions(
  db: Db,
  filter: CommonFilter,
  texts: Record<string, string | undefined>,
): Promise<Condition[]> {
  const { from, to } = toInstants(filter.dateRange ?? filter.date, await readDayZone(db))
  const conditions: Condition[] = []
  if (from) conditions.push(sql`created_at >= ${from}`)
  if (to) conditions.push(sql`created_at < ${to}`)
  if (filter.userID !== undefined) conditions.push(sql`user_id = ${filter.userID}`)
  if (filter.result === LogResult.success) conditions.push(sql`code = ${successCode}`)
  if (filter.result === LogResult.failure) conditions.push(sql`code <> ${successCode}`)
  for (const [column, text] of Object.entries(texts)) {
    if (text !== undefined) conditions.push(sql`${sql.ref(column)} ilike ${containsPattern(text)}`)
  }
  return conditions
}
