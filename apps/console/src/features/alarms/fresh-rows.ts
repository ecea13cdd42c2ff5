/** Which rows of a refreshed queue are news: records that were not there, or that happened again. Pure. */
import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'

type Counted = Pick<AlarmRecord, 'id' | 'totalCount' | 'lastAlarm'>

export interface Seen {
  /** Ids with how often each has happened. */
  counts: ReadonlyMap<number, number>
  /** The latest occurrence that was on the screen. */
  newest: number
}

export const seenOf = (rows: readonly Counted[], before?: Seen): Seen => ({
  counts: new Map(rows.map(({ id, totalCount }) => [id, totalCount])),
  newest: rows.reduce((newest, { lastAlarm }) => Math.max(newest, lastAlarm), before?.newest ?? 0),
})

/** An older row that moved up from the next page, because one above it was handled, is no news. */
export const freshIDs = (before: Seen, rows: readonly Counted[]): number[] =>
  rows
    .filter(({ id, totalCount, lastAlarm }) => {
      const count = before.counts.get(id)
      return count === undefined ? lastAlarm > before.newest : totalCount > count
    })
    .map(({ id }) => id)
