import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { AlarmsDeps } from './alarms-deps.ts'
import { lockAlarm } from './store.ts'

const stepRows = 10_000

/** Occurrences go in steps: millions in one statement would run into its time limit. */
async function dropLogs(db: Db, alarmID: number): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from alarm_log where id in (
        select l.id from alarm_log l join alarm_record r on r.id = l.alarm_record_id
        where r.alarm_id = ${alarmID} limit ${stepRows})`.execute(db)
    if (numAffectedRows < stepRows) return
  }
}

export async function deleteAlarm({ db: pool, bus }: AlarmsDeps, { id }: { id: number }): Promise<void> {
  await lockAlarm(pool, id)
  await dropLogs(pool, id)
  await pool.transaction().execute(async (db) => {
    await lockAlarm(db, id)
    await db.deleteFrom('alarm').where('id', '=', id).execute()
  })
  // Its records went with it: counters and lists are different now.
  bus.emit('alarm.changed', { recordIDs: [], opened: false })
}
