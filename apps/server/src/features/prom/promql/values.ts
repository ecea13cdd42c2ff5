/** What expressions become: values at every step of the query at once. */
import { phrase } from '@ithings/contract/text.ts'
import { execution } from '../prom-error.ts'
import { keyOf, type Labels } from './labels.ts'

/** The moments of a query, ms; an instant query has one. */
export interface Grid {
  start: number
  step: number
  count: number
}

export const timeAt = ({ start, step }: Grid, i: number): number => start + i * step

export interface Series {
  labels: Labels
  /** One for each step. */
  values: Float64Array
  /** 1 where there is a value: NaN is one, too. */
  has: Uint8Array
}

export type Value =
  | { type: 'scalar'; values: Float64Array }
  | { type: 'vector'; series: Series[] }
  | { type: 'string'; value: string }

/** Values as they were stored, old to new. */
export interface Samples {
  labels: Labels
  times: Float64Array
  values: Float64Array
}

export const emptySeries = (labels: Labels, count: number): Series => ({
  labels,
  values: new Float64Array(count),
  has: new Uint8Array(count),
})

export function put(series: Series, i: number, value: number): void {
  series.values[i] = value
  series.has[i] = 1
}

const isEmpty = ({ has }: Series): boolean => !has.includes(1)

/**
 * After labels were taken away: series with the same labels become one if they never have a value at the same time, which
 * is an error otherwise. What has no value at all goes.
 */
export function joinEqual(list: Series[]): Series[] {
  const joined = new Map<string, Series>()
  for (const series of list) {
    if (isEmpty(series)) continue
    const key = keyOf(series.labels)
    const first = joined.get(key)
    if (!first) joined.set(key, series)
    else {
      const merged = { labels: first.labels, values: first.values.slice(), has: first.has.slice() }
      for (let i = 0; i < series.has.length; i++) {
        if (!series.has[i]) continue
        if (merged.has[i]) throw execution(phrase('结果中有标签完全相同的序列'))
        put(merged, i, series.values[i] as number)
      }
      joined.set(key, merged)
    }
  }
  return [...joined.values()]
}

/** With the error of rounding carried along, as Prometheus sums up. */
export class ExactSum {
  #sum = 0
  #lost = 0

  add(value: number): void {
    const sum = this.#sum + value
    if (!Number.isFinite(sum)) this.#lost = 0
    else if (Math.abs(this.#sum) >= Math.abs(value)) this.#lost += this.#sum - sum + value
    else this.#lost += value - sum + this.#sum
    this.#sum = sum
  }

  get total(): number {
    return this.#sum + this.#lost
  }
}

/** Variance of all of them, one after the other. */
export class Spread {
  count = 0
  #mean = 0
  #squares = 0

  add(value: number): void {
    this.count++
    const before = value - this.#mean
    this.#mean += before / this.count
    this.#squares += before * (value - this.#mean)
  }

  get variance(): number {
    return this.#squares / this.count
  }
}

/** NaN counts as the smallest. */
const rising = (a: number, b: number): number => {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : -1
  return Number.isNaN(b) ? 1 : a - b
}

export function quantileOf(q: number, values: number[]): number {
  if (values.length === 0 || Number.isNaN(q)) return Number.NaN
  if (q < 0) return Number.NEGATIVE_INFINITY
  if (q > 1) return Number.POSITIVE_INFINITY
  const sorted = values.toSorted(rising)
  const rank = q * (sorted.length - 1)
  const below = Math.max(0, Math.floor(rank))
  const above = Math.min(sorted.length - 1, below + 1)
  const weight = rank - Math.floor(rank)
  return (sorted[below] as number) * (1 - weight) + (sorted[above] as number) * weight
}
