import { minuteMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

/** Since midnight, and the rate of the last sixty seconds: this minute, and of the one before the part that lies within them. */
export async function readMessages(
  db: Db,
  now: number,
  midnight: number,
): Promise<{ perSecond: number; today: number }> {
  const minute = now - (now % minuteMs)
  const { rows } = await sql<{ today: number; current: number; last: number }>`
    select coalesce(sum(messages) filter (where at >= ${midnight}), 0)::bigint as today,
      coalesce(sum(messages) filter (where at = ${minute}), 0)::bigint as current,
      coalesce(sum(messages) filter (where at = ${minute - minuteMs}), 0)::bigint as last
    from home_message
    where at >= ${Math.min(midnight, minute - minuteMs)} and at <= ${minute}`.execute(db)
  const { today = 0, current = 0, last = 0 } = rows[0] ?? {}
  const recent = current + last * (1 - (now - minute) / minuteMs)
  return { perSecond: Math.round((recent / 60) * 100) / 100, today }
}
