/** Reading what properties were: packed days and the hot part of the journal as one (decisions.md 5). */
import type { ArgFunc } from '@ithings/contract/features/history.ts'

/** What a JSON value is; values of another shape than the model has now are hidden (decisions.md 2 "type change"). */
export type ValueShape = 'number' | 'boolean' | 'string' | 'object' | 'array'

export interface SeriesKey {
  deviceID: number
  property: string
  shape: ValueShape
}

/** [from, to) of device time, ms. */
export interface SeriesRange {
  series: SeriesKey[]
  from: number
  to: number
}

export interface TimedValue {
  /** Index in `series`. */
  series: number
  time: number
  value: unknown
}

/** `value` for every empty bucket, the neighbours', or nothing at all. */
export type Fill = { mode: 'none' | 'null' | 'prev' | 'next' | 'linear' } | { mode: 'value'; value: number }

export interface BucketQuery extends SeriesRange {
  /** ms; 0: the whole range is one bucket. */
  interval: number
  timeZone: string
  argFuncs: ArgFunc[]
  fill: Fill
  /** Empty buckets are filled up to here, which may be before `to`. */
  fillTo: number
}

export interface Bucket {
  series: number
  /** Its start. */
  time: number
  /** One for each of `argFuncs`; null: nothing there. */
  values: unknown[]
}

/** Values of many series as they came, old to new; equal times: in the order of `series`. */
export interface ReplayChunk {
  /** [from, to) of what it covers; the next one follows without a gap. */
  from: number
  to: number
  count: number
  times: Float64Array
  /** Index in `series`. */
  series: Int32Array
  value(index: number): unknown
}

export interface Replay {
  /** About: what was said twice is known only when it is read. */
  total: number
  /** Each is read when the one before has been dealt with; together they cover the range. */
  chunks(): AsyncGenerator<ReplayChunk, void>
}

export interface History {
  replay(range: SeriesRange): Promise<Replay>
  /** What each of the series was at that moment; undefined: nothing was said before. */
  lastBefore(series: SeriesKey[], at: number): Promise<Array<{ time: number; value: unknown } | undefined>>
  /** `window` is asked once the total is known. Equal times: in the order of `series`, newest first against it. */
  page(
    range: SeriesRange & { newestFirst: boolean },
    window: (total: number) => { offset: number; limit: number },
  ): Promise<{ rows: TimedValue[]; total: number }>
  /** Old to new; equal times: in the order of `series`. */
  buckets(query: BucketQuery): Promise<Bucket[]>
}

/** More than one call may look at: the range has to become smaller. */
export class TooMuchHistory extends Error {}
