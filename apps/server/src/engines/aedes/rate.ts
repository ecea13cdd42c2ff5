/** A token bucket as two numbers (GCRA): cheap enough for each of 50,000 connections. */
export interface Rate {
  /** True: it may pass and is counted. */
  take(now: number): boolean
  /** Milliseconds until the next one may pass; 0 now. */
  wait(now: number): number
  /** Counts it although it is too early, unless it would have to wait for longer than that. */
  reserve(now: number, longest: number): number | undefined
  /** Less than half of the burst is used. */
  relaxed(now: number): boolean
}

export function makeRate(perSecond: number, burst: number): Rate {
  const step = 1000 / perSecond
  const slack = step * Math.max(0, burst - 1)
  // When the bucket will be full again.
  let full = 0

  const wait = (now: number) => Math.max(0, full - slack - now)
  const count = (now: number) => {
    full = Math.max(full, now) + step
  }
  return {
    wait,
    take(now) {
      if (wait(now) > 0) return false
      count(now)
      return true
    },
    reserve(now, longest) {
      const delay = wait(now)
      if (delay > longest) return undefined
      count(now)
      return delay
    },
    relaxed: (now) => full - now < slack / 2,
  }
}
