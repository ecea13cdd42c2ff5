/** Values of one series, old to new, into buckets; one pass, nothing kept but the open bucket. */
import type { ArgFunc } from '@ithings/contract/features/history.ts'
import type { BucketBounds } from './bucket-clock.ts'

export interface SeriesBucket extends BucketBounds {
  values: unknown[]
}

/** Rising times from `base` on with a number each. */
export interface NumberDay {
  base: number
  times: Int32Array
  nums: Float64Array
  /** The value that the number stands for. */
  value(number: number): unknown
}

interface Open extends BucketBounds {
  count: number
  min: number
  max: number
  sum: number
  first: unknown
  last: unknown
  /** Of the line through the values, for the time-weighted average: its area and how long it is. */
  area: number
  span: number
  lastNumber: number
}

const between = (t: number, t1: number, v1: number, t2: number, v2: number) => v1 + ((v2 - v1) * (t - t1)) / (t2 - t1)

const results: Record<ArgFunc, (open: Open) => unknown> = {
  avg: (open) => open.sum / open.count,
  min: (open) => open.min,
  max: (open) => open.max,
  sum: (open) => open.sum,
  count: (open) => open.count,
  first: (open) => open.first,
  last: (open) => open.last,
  twa: (open) => (open.span > 0 ? open.area / open.span : open.lastNumber),
}

const opened = ({ start, end }: BucketBounds, value: unknown, number: number): Open => ({
  start,
  end,
  count: 1,
  min: number,
  max: number,
  sum: number,
  first: value,
  last: value,
  area: 0,
  span: 0,
  lastNumber: number,
})

export class Aggregator {
  readonly #argFuncs: ArgFunc[]
  readonly #bucketAt: (time: number) => BucketBounds
  /** The time-weighted average is the one that needs the line through the values. */
  readonly #followsLine: boolean
  readonly #buckets: SeriesBucket[] = []
  #open: Open | undefined
  #any = false
  #beforeTime = 0
  #beforeNumber = 0

  constructor(argFuncs: ArgFunc[], bucketAt: (time: number) => BucketBounds) {
    this.#argFuncs = argFuncs
    this.#bucketAt = bucketAt
    this.#followsLine = argFuncs.includes('twa')
  }

  /** `number` is the value as a number (booleans 0 and 1), NaN for others. */
  add(time: number, value: unknown, number: number): void {
    const beforeTime = this.#beforeTime
    const beforeNumber = this.#beforeNumber
    if (this.#open && time >= this.#open.end) {
      const { end } = this.#open
      this.#line(beforeTime, beforeNumber, end, between(end, beforeTime, beforeNumber, time, number))
      this.#close()
    }
    const open = this.#open
    if (open) {
      this.#line(beforeTime, beforeNumber, time, number)
      open.count += 1
      if (number < open.min) open.min = number
      if (number > open.max) open.max = number
      open.sum += number
      open.last = value
      open.lastNumber = number
    } else {
      const bounds = this.#bucketAt(time)
      this.#open = opened(bounds, value, number)
      const { start } = bounds
      if (this.#any) this.#line(start, between(start, beforeTime, beforeNumber, time, number), time, number)
    }
    this.#any = true
    this.#beforeTime = time
    this.#beforeNumber = number
  }

  /** The same for a whole day of numbers. */
  addDay(day: NumberDay): void {
    for (let i = 0; i < day.times.length; ) {
      const number = day.nums[i] as number
      this.add(day.base + (day.times[i] as number), day.value(number), number)
      i += 1
      // The line through the values needs each of them.
      if (!this.#followsLine) i = this.#addRest(day, i)
    }
  }

  /** Call after the last value. */
  finish(): SeriesBucket[] {
    this.#close()
    return this.#buckets
  }

  #close(): void {
    const open = this.#open
    if (!open) return
    this.#buckets.push({ start: open.start, end: open.end, values: this.#argFuncs.map((name) => results[name](open)) })
    this.#open = undefined
  }

  #line(from: number, fromNumber: number, to: number, toNumber: number): void {
    const open = this.#open
    if (!this.#followsLine || !open || to <= from) return
    open.area += ((fromNumber + toNumber) / 2) * (to - from)
    open.span += to - from
  }

  /** The rest of the open bucket in a tight loop: a chart of a quarter is a million values. @returns the next index */
  #addRest(day: NumberDay, begin: number): number {
    const open = this.#open
    if (!open) return begin
    const { base, times, nums } = day
    const end = open.end - base
    let { min, max, sum } = open
    let i = begin
    for (; i < times.length && (times[i] as number) < end; i++) {
      const number = nums[i] as number
      if (number < min) min = number
      if (number > max) max = number
      sum += number
    }
    if (i === begin) return i
    this.#beforeTime = base + (times[i - 1] as number)
    this.#beforeNumber = nums[i - 1] as number
    Object.assign(open, { min, max, sum, lastNumber: this.#beforeNumber, last: day.value(this.#beforeNumber) })
    open.count += i - begin
    return i
  }
}
