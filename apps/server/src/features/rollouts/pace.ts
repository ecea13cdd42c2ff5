/**
 * How many may be sent now. Counted from a beginning, so that fractions and late ticks are not lost and the rate is
 * exact over any time; after a pause nothing is made up for beyond one second's worth.
 */
import { minuteMs } from '@ithings/contract/durations.ts'

const clockSkewMs = 5_000

export interface Pace {
  /** ms */
  from: number
  /** How many were taken since then. */
  count: number
}

/** The first one goes at once. */
export const beginPace = (perMinute: number, now: number): Pace => ({ from: now - gapMs(perMinute), count: 0 })

const gapMs = (perMinute: number): number => Math.ceil(minuteMs / perMinute)
const mostAtOnce = (perMinute: number): number => Math.max(1, Math.ceil(perMinute / 60))
const earned = (pace: Pace, perMinute: number, now: number): number =>
  Math.floor(((now - pace.from) * perMinute) / minuteMs) - pace.count

/** @returns how many may be taken, and the pace to count on from */
export function allowance(pace: Pace, perMinute: number, now: number): { allowed: number; pace: Pace } {
  // A clock that was set back must not stop the run for as long; clocks of two servers differ a little.
  if (now < pace.from - clockSkewMs) return { allowed: 0, pace: { from: now, count: 0 } }
  const allowed = earned(pace, perMinute, now)
  const most = mostAtOnce(perMinute)
  if (allowed <= most) return { allowed: Math.max(0, allowed), pace }
  return { allowed: most, pace: { from: now - Math.ceil((most * minuteMs) / perMinute), count: 0 } }
}

/** Whole minutes are taken off, which changes nothing and keeps the numbers small. */
export function spend(pace: Pace, perMinute: number, taken: number): Pace {
  const count = pace.count + taken
  const minutes = Math.max(0, Math.floor(count / perMinute))
  return { from: pace.from + minutes * minuteMs, count: count - minutes * perMinute }
}
