/** Functions of the values within a stretch of time. */

import { ExactSum, quantileOf, Spread } from './values.ts'
import type { Window } from './windows.ts'

export type RangeFunction = (window: Window, param: number) => number | undefined

const firstOf = (values: Float64Array): number => values[0] as number
const lastOf = (values: Float64Array): number => values[values.length - 1] as number

/**
 * The change from the first to the last value, carried on to the ends of the stretch as Prometheus does: all the way if
 * the next value would have been expected about there, else by half of the usual distance; a counter never below zero.
 */
function extrapolated(
  { times, values, start, end }: Window,
  { counter, perSecond = false }: { counter: boolean; perSecond?: boolean },
): number | undefined {
  const count = values.length
  if (count < 2) return undefined
  let change = lastOf(values) - firstOf(values)
  if (counter) {
    for (let i = 1; i < count; i++) {
      const before = values[i - 1] as number
      if ((values[i] as number) < before) change += before
    }
  }
  const covered = (lastOf(times) - firstOf(times)) / 1000
  const usual = covered / (count - 1)
  const expected = usual * 1.1
  let before = (firstOf(times) - start) / 1000
  let after = (end - lastOf(times)) / 1000
  if (before >= expected) before = usual / 2
  if (counter && change > 0 && firstOf(values) >= 0) before = Math.min(before, covered * (firstOf(values) / change))
  if (after >= expected) after = usual / 2
  const factor = (covered + before + after) / covered
  return change * (perSecond ? factor / ((end - start) / 1000) : factor)
}

/** Of the last two values; undefined: there are no two. */
function lastChange({ times, values }: Window, counter: boolean): { change: number; seconds: number } | undefined {
  const last = values.length - 1
  if (last < 1) return undefined
  const [before, now] = [values[last - 1] as number, values[last] as number]
  const seconds = ((times[last] as number) - (times[last - 1] as number)) / 1000
  return { change: counter && now < before ? now : now - before, seconds }
}

/** Least squares; `from` is where the line's height is asked for, ms. */
function regression({ times, values }: Window, from: number): { slope: number; height: number } {
  const first = firstOf(values)
  if (values.every((value) => value === first)) {
    return Number.isFinite(first) ? { slope: 0, height: first } : { slope: Number.NaN, height: Number.NaN }
  }
  const [x, y, xy, xx] = [new ExactSum(), new ExactSum(), new ExactSum(), new ExactSum()]
  const count = values.length
  for (let i = 0; i < count; i++) {
    const [at, value] = [((times[i] as number) - from) / 1000, values[i] as number]
    x.add(at)
    y.add(value)
    xy.add(at * value)
    xx.add(at * at)
  }
  const slope = (xy.total - (x.total * y.total) / count) / (xx.total - (x.total * x.total) / count)
  return { slope, height: y.total / count - (slope * x.total) / count }
}

function countSteps(values: Float64Array, counts: (before: number, now: number) => boolean): number {
  let count = 0
  for (let i = 1; i < values.length; i++) if (counts(values[i - 1] as number, values[i] as number)) count++
  return count
}

function sumOf(values: Float64Array): number {
  const sum = new ExactSum()
  for (const value of values) sum.add(value)
  return sum.total
}

function varianceOf(values: Float64Array): number {
  const spread = new Spread()
  for (const value of values) spread.add(value)
  return spread.variance
}

/** NaN gives way to any number. */
const extreme = (values: Float64Array, better: (a: number, b: number) => boolean): number =>
  values.reduce((best, value) => (better(value, best) || Number.isNaN(best) ? value : best))

const isNaNTwice = (a: number, b: number) => Number.isNaN(a) && Number.isNaN(b)

export const rangeFunctions: Record<string, RangeFunction> = {
  increase: (window) => extrapolated(window, { counter: true }),
  delta: (window) => extrapolated(window, { counter: false }),
  rate: (window) => extrapolated(window, { counter: true, perSecond: true }),
  irate: (window) => {
    const last = lastChange(window, true)
    return last && last.seconds > 0 ? last.change / last.seconds : undefined
  },
  idelta: (window) => lastChange(window, false)?.change,
  deriv: (window) => (window.values.length < 2 ? undefined : regression(window, firstOf(window.times)).slope),
  predict_linear: (window, seconds) => {
    if (window.values.length < 2) return undefined
    const { slope, height } = regression(window, window.now)
    return slope * seconds + height
  },
  changes: ({ values }) => countSteps(values, (before, now) => before !== now && !isNaNTwice(before, now)),
  resets: ({ values }) => countSteps(values, (before, now) => now < before),
  sum_over_time: ({ values }) => sumOf(values),
  avg_over_time: ({ values }) => sumOf(values) / values.length,
  count_over_time: ({ values }) => values.length,
  min_over_time: ({ values }) => extreme(values, (a, b) => a < b),
  max_over_time: ({ values }) => extreme(values, (a, b) => a > b),
  last_over_time: ({ values }) => lastOf(values),
  first_over_time: ({ values }) => firstOf(values),
  present_over_time: () => 1,
  stddev_over_time: ({ values }) => Math.sqrt(varianceOf(values)),
  stdvar_over_time: ({ values }) => varianceOf(values),
  quantile_over_time: ({ values }, q) => quantileOf(q, [...values]),
}

/** These say a value of the series itself, so that its name stays. */
export const keepsName = new Set(['last_over_time', 'first_over_time'])
