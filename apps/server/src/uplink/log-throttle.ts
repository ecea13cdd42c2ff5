/**
 * How often a refusal is written down (decisions.md 4.3 and 4.6): each reason of each device now and then, and all
 * together at a bounded rate, so that neither a broken fleet nor somebody who guesses passwords fills the logs. The
 * counters of /metrics count every one.
 */
import type { Clock } from '#ports/clock.ts'

export interface LogThrottle {
  /** @returns how often it has happened since it was written last; undefined: not now */
  times(who: string, reason: string, most?: number): number | undefined
}

export interface LogThrottleOptions {
  clock: Clock
  everyMs: number
  /** Of all together. */
  perSecond: number
  burst: number
}

/** The longest unheard of are forgotten first. */
const mostRemembered = 10_000

interface Told {
  since: number
  lines: number
  missed: number
}

export function makeLogThrottle({ clock, everyMs, perSecond, burst }: LogThrottleOptions): LogThrottle {
  const told = new Map<string, Told>()
  let room = burst
  let filledAt = clock.now()

  const takeRoom = (now: number): boolean => {
    room = Math.min(burst, room + (Math.max(0, now - filledAt) * perSecond) / 1000)
    filledAt = now
    if (room < 1) return false
    room--
    return true
  }

  const remember = (key: string, one: Told) => {
    told.delete(key)
    const [oldest] = told.size >= mostRemembered ? told.keys() : []
    if (oldest !== undefined) told.delete(oldest)
    told.set(key, one)
  }

  return {
    times(who, reason, most = 1) {
      const now = clock.now()
      const key = `${who}\0${reason}`
      const before = told.get(key)
      const current = before && Math.abs(now - before.since) < everyMs ? before : undefined
      if ((current && current.lines >= most) || !takeRoom(now)) {
        if (before) before.missed++
        return undefined
      }
      const times = (before?.missed ?? 0) + 1
      if (current) {
        current.lines++
        current.missed = 0
      } else remember(key, { since: now, lines: 1, missed: 0 })
      return times
    },
  }
}
