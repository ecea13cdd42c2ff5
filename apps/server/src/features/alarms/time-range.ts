import { type RawBuilder, sql } from 'kysely'

export interface TimeRange {
  start?: number | undefined
  end?: number | undefined
}

/** http-api.md 1: above this a number is milliseconds, as existing consoles tell them apart. */
const lastSecond = 9_999_999_999

const startMs = (time: number): number => (time > lastSecond ? time : time * 1000)
/** A second that is named as the end counts whole. */
const endMs = (time: number): number => (time > lastSecond ? time : time * 1000 + 999)

/** Both ends included; 0 and absent are no limit. Milliseconds. */
export function readRange(range: TimeRange | null | undefined): { start: number | undefined; end: number | undefined } {
  return { start: range?.start ? startMs(range.start) : undefined, end: range?.end ? endMs(range.end) : undefined }
}

export function rangeCondition(column: string, range: TimeRange | null | undefined): Array<RawBuilder<boolean>> {
  const { start, end } = readRange(range)
  return [
    ...(start === undefined ? [] : [sql<boolean>`${sql.ref(column)} >= ${start}`]),
    ...(end === undefined ? [] : [sql<boolean>`${sql.ref(column)} <= ${end}`]),
  ]
}

/**
 * Records that fired within it, also when they fired again later: a day's count leads to these. Without an end
 * the last time says it; with one, those that fired after it are asked for their entries.
 */
export function firedWithin(range: TimeRange | null | undefined): Array<RawBuilder<boolean>> {
  const { start, end } = readRange(range)
  if (end === undefined) return rangeCondition('last_alarm', range)
  const entry = sql.join(
    [sql`entry.alarm_record_id = alarm_record.id`, ...rangeCondition('entry.created_at', range)],
    sql` and `,
  )
  return [
    ...(start === undefined ? [] : [sql<boolean>`last_alarm >= ${start}`]),
    sql<boolean>`(last_alarm <= ${end} or exists (select from alarm_log entry where ${entry}))`,
  ]
}
