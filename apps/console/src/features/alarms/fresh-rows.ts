/** Which rows of a refreshed queue are news: records that were not there, or that happened again. Pure. */
import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'

type Counted = Pick<AlarmRecord, 'id' | 'totalCount'>

/** Ids with how often each has happened. */
export type Seen = ReadonlyMap<number, number>

export const seenOf = (rows: readonly Counted[]): Seen => new Map(rows.map(({ id, totalCount }) => [id, totalCount]))

export const freshIDs = (before: Seen, rows: readonly Counted[]): number[] =>
  rows.filter(({ id, totalCount }) => totalCount > (before.get(id) ?? 0)).map(({ id }) => id)
