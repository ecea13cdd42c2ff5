/** How often a scene may run: counted in the minute that began with its first run. */
const minuteMs = 60_000
/** Scenes remembered before those whose minute is over are forgotten. */
const sweepAt = 1_000

export interface RateLimit {
  take(sceneID: number, now: number): boolean
}

export function makeRateLimit(most: number): RateLimit {
  const windows = new Map<number, { since: number; count: number }>()
  const sweep = (now: number) => {
    for (const [sceneID, { since }] of windows) if (now - since >= minuteMs) windows.delete(sceneID)
  }
  return {
    take(sceneID, now) {
      let window = windows.get(sceneID)
      if (!window || now - window.since >= minuteMs) {
        if (windows.size >= sweepAt) sweep(now)
        window = { since: now, count: 0 }
        windows.set(sceneID, window)
      }
      if (window.count >= most) return false
      window.count += 1
      return true
    },
  }
}
