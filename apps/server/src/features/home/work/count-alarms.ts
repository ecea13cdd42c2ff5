import { dayMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { alarmStepMs } from '../home-times.ts'
import { keepDays } from './housekeeping.ts'
import type { Done } from './whole-fleet.ts'

/** An entry is visible long before this age: its time is that of the transaction that writes it. */
const settleMs = 2 * 60_000

/** The trigger on the log (home_alarm_change) goes by this clock: one that is ahead of it must not move the mark. */
async function databaseNow(db: Db): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db)
  return rows[0]?.now ?? 0
}

/** Counts what is over since the mark, and moves the mark: from then on the log is read from there only. */
export async function countAlarms(db: Db, now: number, mark: number): Promise<Done> {
  const over = Math.min(now, await databaseNow(db)) - settleMs
  const until = Math.floor(over / alarmStepMs) * alarmStepMs
  // A clock that was set back must not count twice.
  if (until <= mark) return { seen: mark, found: 0 }
  const from = Math.max(mark, until - keepDays * dayMs)
  await sql`
    insert into home_alarm as old (at, level, alarms)
    select created_at / ${sql.lit(alarmStepMs)} * ${sql.lit(alarmStepMs)}, level, count(*)
    from alarm_log where created_at >= ${from} and created_at < ${until} group by 1, 2 order by 1, 2
    on conflict (at, level) do update set alarms = old.alarms + excluded.alarms`.execute(db)
  return { seen: until, found: 0 }
}
