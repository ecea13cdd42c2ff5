/** A script that keeps timing out is refused for a while, so that it cannot starve the scripts of other products. */
import type { Clock } from '#ports/clock.ts'
import { makeBoundedMap } from './bounded-map.ts'

const window = 60_000
const pause = 60_000
const most = 10
const remembered = 1_000

export interface Breaker {
  /** Milliseconds until the script may run again; 0: now. */
  waitFor(script: string): number
  timedOut(script: string): void
}

interface Strikes {
  times: number[]
  until: number
}

/** `script` is the hash of its text. */
export function makeBreaker(clock: Clock): Breaker {
  const strikes = makeBoundedMap<string, Strikes>(remembered)
  return {
    waitFor(script) {
      const entry = strikes.get(script)
      return entry === undefined ? 0 : Math.max(0, entry.until - clock.now())
    },
    timedOut(script) {
      const now = clock.now()
      const recent = (strikes.get(script)?.times ?? []).filter((time) => time > now - window)
      const times = [...recent, now]
      const full = times.length >= most
      strikes.set(script, { times: full ? [] : times, until: full ? now + pause : 0 })
    },
  }
}
