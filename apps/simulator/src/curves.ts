/** Curves of numbers over time that look like measurements: days, wandering, counting. */
import { dayMs, hourMs } from '@ithings/contract/durations.ts'
import type { Random } from './random.ts'

export type Curve =
  /** Up by day, down by night, with noise (a share of the half height). */
  | { kind: 'daily'; low: number; high: number; noise?: number; periodMs?: number }
  /** Wanders and comes back to the middle within about `tauMs`. */
  | { kind: 'walk'; low: number; high: number; tauMs?: number }
  /** Only grows; begins again at `low` beyond `high`. */
  | { kind: 'counter'; low: number; high: number; perHour: number }
  | { kind: 'constant'; value: number }

/** Times must not go back; milliseconds. */
export type NumberSource = (time: number) => number

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

/** It is warmest at three in the afternoon. */
const peakHour = 15

const localTime = (time: number): number => time - new Date(time).getTimezoneOffset() * 60_000

function daily({ low, high, noise = 0.05, periodMs = dayMs }: Curve & { kind: 'daily' }, random: Random): NumberSource {
  const middle = (low + high) / 2
  const height = (high - low) / 2
  // Places differ a little: an hour earlier or later.
  const shift = peakHour * hourMs - periodMs / 4 + random.between(-hourMs, hourMs) * (periodMs / dayMs)
  return (time) => {
    const wave = Math.sin((2 * Math.PI * (localTime(time) - shift)) / periodMs)
    return clamp(middle + height * (wave * (1 - noise) + noise * random.normal()), low, high)
  }
}

function walk({ low, high, tauMs = 10 * 60_000 }: Curve & { kind: 'walk' }, random: Random): NumberSource {
  const middle = (low + high) / 2
  // Three deviations reach the borders.
  const deviation = (high - low) / 6
  let value = middle + deviation * random.normal()
  let last: number | undefined
  return (time) => {
    const kept = Math.exp(-Math.max(0, time - (last ?? time)) / tauMs)
    last = time
    value = clamp(
      middle + (value - middle) * kept + deviation * Math.sqrt(1 - kept * kept) * random.normal(),
      low,
      high,
    )
    return value
  }
}

const countersBegan = Date.UTC(2026, 0, 1)

function counter({ low, high, perHour }: Curve & { kind: 'counter' }, random: Random): NumberSource {
  const span = high - low
  const wrapped = (value: number) => (span > 0 ? low + ((value - low) % span) : low)
  let value: number | undefined
  let last = 0
  return (time) => {
    // A meter that is switched off and on goes on where it was.
    if (value === undefined) value = wrapped(low + (Math.max(0, time - countersBegan) / hourMs) * perHour)
    else value = wrapped(value + ((perHour * Math.max(0, time - last)) / hourMs) * random.between(0.5, 1.5))
    last = time
    return value
  }
}

export function makeNumberSource(curve: Curve, random: Random): NumberSource {
  switch (curve.kind) {
    case 'daily':
      return daily(curve, random)
    case 'walk':
      return walk(curve, random)
    case 'counter':
      return counter(curve, random)
    case 'constant':
      return () => curve.value
  }
}
