/** The filters that both logs have in common, as conditions of one query. */

import { dayMs } from '@ithings/contract/durations.ts'
import { successCode } from '@ithings/contract/envelope.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import { type DateRange, LogResult } from '@ithings/contract/features/logs.ts'
import { makeDays } from '@ithings/contract/zone-days.ts'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { readDayZone } from '#db/day-zone.ts'
import { containsPattern } from '#db/page.ts'
import type { Db } from '#db/schema.ts'

const isDay = (text: string): boolean => text.includes('-')

const wrong = (text: string) => refusal(errors.parameter, '日期 {date} 不正确', { date: text })

/** Seconds are accepted too: existing consoles send either (http-api.md 1 "Time fields"). */
function fromNumber(text: string): Date {
  const instant = new Date(text.length <= 10 ? Number(text) * 1000 : Number(text))
  if (Number.isNaN(instant.getTime())) throw wrong(text)
  return instant
}

/** A day is one of the zone that days are counted by; milliseconds are exact. `[from, to)` */
function toInstant(text: string, edge: 'start' | 'end', zone: string): Date {
  if (!isDay(text)) return fromNumber(text)
  const day = Date.parse(`${text}T00:00:00Z`)
  // 31 February would quietly become 3 March.
  if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(text)) throw wrong(text)
  return new Date(makeDays(zone).beginOf(day / dayMs + (edge === 'end' ? 1 : 0)))
}

function toInstants(range: DateRange, zone: string): { from: Date | undefined; to: Date | undefined } {
  const from = range?.start ? toInstant(range.start, 'start', zone) : undefined
  // 0 is "until now" (http-api.md 1 "Time fields").
  const end = range?.end && range.end !== '0' ? range.end : undefined
  if (from && end && from > toInstant(end, 'start', zone)) throw refusal(errors.parameter, '开始时间不能晚于结束时间')
  return { from, to: end ? toInstant(end, 'end', zone) : undefined }
}

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
