import { dayMs } from '@ithings/contract/durations.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

/** Seven days are shown, each beside the one before (home_alarm_change in 0013_home.sql knows the same number). */
export const keepDays = 9

export async function dropOldFigures(db: Db, clock: Clock): Promise<number> {
  const before = clock.now() - keepDays * dayMs
  let dropped = 0
  for (const table of ['home_sample', 'home_message', 'home_alarm'] as const) {
    const { numDeletedRows } = await db.deleteFrom(table).where('at', '<', before).executeTakeFirstOrThrow()
    dropped += Number(numDeletedRows)
  }
  return dropped
}
