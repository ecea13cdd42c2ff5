import { minuteMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { dayStart } from './home-times.ts'

/** The rate of the last sixty seconds: this minute, and of the one before the part that lies within them. */
export async function readMessages(db: Db, now: number): Promise<{ perSecond: number; today: number }> {
  const minute = now - (now % minuteMs)
  const { rows } = await sql<{ today: number; current: number; last: number }>`
    select coalesce(sum(messages) filter (where at >= ${dayStart(now)}), 0)::bigint as today,
      coalesce(sum(messages) filter (where at = ${minute}), 0)::bigint as current,
      coalesce(sum(messages) filter (where at = ${minute - minuteMs}), 0)::bigint as last
    from home_message
    where at >= ${Math.min(dayStart(now), minute - minuteMs)} and at <= ${minute}`.execute(db)
  const { today = 0, current = 0, last = 0 } = rows[0] ?? {}
  const recent = current + last * (1 - (now - minute) / minuteMs)
  return { perSecond: Math.round((recent / 60) * 100) / 100, today }
}
