/** Fewer are not worth a look for those whose minute is over. */
import { minuteMs } from '@ithings/contract/durations.ts'

const sweepAt = 1_000

export interface RateLimit {
  take(sceneID: number, now: number): boolean
}

export function makeRateLimit(most: number): RateLimit {
  const windows = new Map<number, { since: number; count: number }>()
  let sweptAt = 0
  /** Once a minute: with many scenes at work, a look at all of them for each would be the most expensive part. */
  const sweep = (now: number) => {
    if (windows.size < sweepAt || Math.abs(now - sweptAt) < minuteMs) return
    sweptAt = now
    for (const [sceneID, { since }] of windows) if (now - since >= minuteMs) windows.delete(sceneID)
  }
  return {
    take(sceneID, now) {
      let window = windows.get(sceneID)
      if (!window || now - window.since >= minuteMs) {
        sweep(now)
        window = { since: now, count: 0 }
        windows.set(sceneID, window)
      }
      if (window.count >= most) return false
      window.count += 1
      return true
    },
  }
}
