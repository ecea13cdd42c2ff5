import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { alarmStepMs } from './home-times.ts'

export interface AlarmCount {
  /** Beginning of five minutes. */
  at: number
  level: number
  alarms: number
}

/** Occurrences since then: what is counted already, and from there on the log itself (some minutes of it). */
export async function alarmCounts(db: Db, from: number): Promise<AlarmCount[]> {
  const step = sql.lit(alarmStepMs)
  // The mark and the counts of one moment: two statements could see it move between them.
  const { rows } = await sql<AlarmCount>`
    with mark as (select seen from home_work where name = 'alarm')
    select at, level, alarms from home_alarm where at >= ${from} and alarms > 0
    union all
    select created_at / ${step} * ${step}, level, count(*)::integer from alarm_log
    where created_at >= greatest(${from}::bigint, (select seen from mark)) group by 1, 2`.execute(db)
  return rows
}
