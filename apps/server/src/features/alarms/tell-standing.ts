/**
 * Many triggers fire once for as long as a state lasts (a duration, a device that is offline), so an alarm that stays is
 * not raised again, and what is due then is told by the clock: the next notice of the interval, and the first one of a
 * record that flapped when it opened and stays. The rule is that of raise-alarm.ts; notified_at says who was first.
 */
import { AlarmStatus } from '@ithings/contract/features/alarms/config.ts'
import { DealState } from '@ithings/contract/features/alarms/record.ts'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Background } from '#background/background.ts'
import type { Loop } from '#background/loop.ts'
import type { Db } from '#db/schema.ts'
import { queueNotice } from '#features/notify/door.ts'
import { manyNotice, namesOf, raisedNotice, type ToldRecord, toldOneByOne } from './alarm-notice.ts'
import { notifyOf } from './alarm-wire.ts'
import type { AlarmsDeps } from './alarms-deps.ts'
import { noticeSettings } from './notice-settings.ts'
import type { AlarmRow } from './store.ts'

const everyMs = 5_000
/** How many alarms one round looks at; the others have their turn in the next. */
const mostAlarms = 100
/** How many records of one alarm a round looks at. */
const mostRecords = 1_000

const { tells, renotifyMs, flapMs } = noticeSettings
const isTelling = sql<boolean>`a.status = ${sql.lit(AlarmStatus.enabled)} and ${tells}`
/** Written out: the planner then knows that the indexes of open records fit. */
const isUntold = sql<boolean>`r.deal_state = ${sql.lit(DealState.alarming)} and r.notified_at < r.first_alarm`
const isTold = sql<boolean>`r.deal_state = ${sql.lit(DealState.alarming)} and r.notified_at >= r.first_alarm`

/** Of each alarm only the first in time is looked at, along an index: mostly nothing is due. */
async function alarmsDue(db: Db, now: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select a.id from alarm a where ${isTelling} and (
      (select r.dealt_at from alarm_record r where r.alarm_id = a.id and ${isUntold} order by r.dealt_at limit 1)
        <= ${now} - ${flapMs}
      or ${renotifyMs} > 0 and
      (select r.notified_at from alarm_record r where r.alarm_id = a.id and ${isTold} order by r.notified_at limit 1)
        <= ${now} - ${renotifyMs})
    order by a.id limit ${mostAlarms}`.execute(db)
  return rows.map((row) => row.id)
}

interface DueRow extends ToldRecord {
  name: string
  notify: AlarmRow['notify']
}

/** A record that another server has in its hands is told by that one; nobody waits for anybody. */
async function claimDue(db: Db, alarmID: number, now: number): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    with due as materialized (
      select r.id, a.name, a.notify from alarm_record r join alarm a on a.id = r.alarm_id
      where a.id = ${alarmID} and ${isTelling} and (${isUntold} and r.dealt_at <= ${now} - ${flapMs}
        or ${isTold} and ${renotifyMs} > 0 and r.notified_at <= ${now} - ${renotifyMs})
      order by r.id limit ${mostRecords} for update of r skip locked
    )
    update alarm_record r set notified_at = greatest(${now}::bigint, r.first_alarm) from due where r.id = due.id
    returning r.id, r.alarm_id, r.product_id, r.device_name, r.scene_id, r.scene_name, r.level, r.first_alarm,
      r.last_alarm, r.count, r.cause, due.name, due.notify`.execute(db)
  return rows.toSorted((one, other) => one.id - other.id)
}

async function tellAlarm(deps: AlarmsDeps, alarmID: number): Promise<number> {
  const told = await deps.db.transaction().execute(async (db) => {
    const time = deps.clock.now()
    const rows = await claimDue(db, alarmID, time)
    const [first] = rows
    if (!first) return 0
    const alarm = { name: first.name, notify: notifyOf(first.notify) }
    const key = `at${time}`
    if (rows.length > toldOneByOne) {
      const notice = manyNotice('alarm.repeated', rows, alarm, { key, time })
      if (notice) await queueNotice(deps.notify, notice, db)
      return rows.length
    }
    for (const row of rows) {
      const notice = raisedNotice(row, alarm, await namesOf(db, row), { key, time, again: true })
      await queueNotice(deps.notify, notice, db)
    }
    return rows.length
  })
  if (told > 0) deps.notify.bell.ring()
  return told
}

/** @returns of how many records somebody was told */
export async function tellStanding(deps: AlarmsDeps, log: Logger): Promise<number> {
  let told = 0
  for (const alarmID of await alarmsDue(deps.db, deps.clock.now())) {
    try {
      told += await tellAlarm(deps, alarmID)
    } catch (error) {
      // The others are told nevertheless.
      log.warn({ err: error, alarmID }, 'an alarm that goes on could not be told, trying again')
    }
  }
  return told
}

/** Every server does it; the database shares the records out. */
export const watchStanding = (deps: AlarmsDeps, background: Background, log: Logger, paceMs = everyMs): Loop =>
  background.every({ name: 'alarms.standing', everyMs: paceMs, run: () => tellStanding(deps, log) })
