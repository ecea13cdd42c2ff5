/** Keeps stored sessions and their messages within bounds. Counting takes a while, so it is done now and then. */
import type pg from 'pg'
import type { SessionLimits } from './limits.ts'
import { removeExpired, removeOldest, removeOldestMessages } from './statements.ts'

/** Of a bound, that one server may add before the next count. */
const slack = 0.05

export interface Sweep {
  run(): Promise<void>
  added(what: 'sessions' | 'queued', count: number): void
}

/** @param early there is more than usual to look at */
export function makeSweep(
  pool: pg.Pool,
  limits: SessionLimits,
  dropped: (count: number) => void,
  early: () => void,
): Sweep {
  const since = { sessions: 0, queued: 0 }

  const remove = async (statement: string, bound: number) => {
    const { rows } = await pool.query<{ dropped: number }>(statement, [bound])
    dropped(rows[0]?.dropped ?? 0)
  }

  return {
    async run() {
      since.sessions = 0
      since.queued = 0
      await remove(removeExpired, limits.sessionDays)
      // MQTT 3.1.1 keeps sessions for ever; nobody has room for that.
      await remove(removeOldest, limits.sessions)
      await remove(removeOldestMessages, limits.queuedTotal)
    },
    added(what, count) {
      since[what] += count
      const bound = what === 'sessions' ? limits.sessions : limits.queuedTotal
      if (since[what] >= bound * slack) early()
    },
  }
}
