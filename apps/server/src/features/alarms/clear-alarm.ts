/** Clearing by a scene (rules.md 5 "Relieve"): open records of linked alarms are handled by the system. */
import { AlarmStatus } from '@ithings/contract/features/alarms/config.ts'
import { DealState, DealType, dealResults } from '@ithings/contract/features/alarms/record.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { queueNotice } from '#features/notify/door.ts'
import type { RaisingRun } from '#features/scenes/door.ts'
import { clearedNotice, manyNotice, namesOf, type ToldRecord, toldOneByOne } from './alarm-notice.ts'
import { notifyOf } from './alarm-wire.ts'
import type { AlarmsDeps } from './alarms-deps.ts'
import type { AlarmRow } from './store.ts'

/** A schedule may clear a fleet: many short transactions instead of a long one. */
const stepRows = 1_000

interface ClearedRow extends ToldRecord {
  name: string
  notify: AlarmRow['notify']
  status: number
  notified_at: number
}

/** Relieve by a device clears the records of that device only. Disabled alarms are cleared too, silently. */
const ofRun = ({ sceneID, device }: RaisingRun) => sql<boolean>`
  r.alarm_id in (select alarm_id from alarm_scene where scene_id = ${sceneID})
  and r.deal_state = ${sql.lit(DealState.alarming)}
  ${device ? sql`and r.product_id = ${device.productID} and r.device_name = ${device.deviceName}` : sql``}`

/** Scenes that relieve run at every good value: mostly there is nothing to do, and no transaction for it. */
async function anyOpen(db: Db, run: RaisingRun): Promise<boolean> {
  const { rows } = await sql`select from alarm_record r where ${ofRun(run)} limit 1`.execute(db)
  return rows.length > 0
}

async function clearSome(db: Db, run: RaisingRun, now: number): Promise<ClearedRow[]> {
  const { rows } = await sql<ClearedRow>`
    with target as materialized (
      select r.id from alarm_record r where ${ofRun(run)} order by r.alarm_id, r.id limit ${stepRows} for update
    ), cleared as (
      update alarm_record r set deal_state = ${DealState.handled}, dealt_at = ${now}, dealt_by = '',
        deal_result = ${dealResults.relieved}
      from target where r.id = target.id returning r.*
    ), dealt as (
      insert into alarm_deal (alarm_record_id, result, type, alarm_time, created_at)
      select id, ${dealResults.relieved}, ${DealType.system}, last_alarm, ${now}::bigint from cleared order by alarm_id, id
    )
    select r.id, r.alarm_id, r.product_id, r.device_name, r.scene_id, ${run.sceneName} as scene_name, r.level,
      r.first_alarm, r.last_alarm, r.count, r.cause, r.notified_at, a.name, a.notify, a.status
    from cleared r join alarm a on a.id = r.alarm_id order by r.alarm_id, r.id`.execute(db)
  return rows
}

/** Who was not told that it began (it flapped) is not told that it ended. */
const isTold = (row: ClearedRow) =>
  row.status === AlarmStatus.enabled && row.notify.notifyCleared === true && row.notified_at >= row.first_alarm

/** @returns whether anything was queued */
async function tell(deps: AlarmsDeps, db: Db, rows: ClearedRow[], runID: number, now: number): Promise<boolean> {
  const told = rows.filter(isTold)
  for (const group of Map.groupBy(told, (row) => row.alarm_id).values()) {
    const [first] = group
    if (!first) continue
    const alarm = { name: first.name, notify: notifyOf(first.notify) }
    if (group.length > toldOneByOne) {
      const notice = manyNotice('alarm.cleared', group, alarm, { key: runID, time: now })
      if (notice) await queueNotice(deps.notify, notice, db)
      continue
    }
    for (const row of group) {
      await queueNotice(deps.notify, clearedNotice(row, alarm, await namesOf(db, row), runID, now), db)
    }
  }
  return told.length > 0
}

export async function clearAlarms(deps: AlarmsDeps, run: RaisingRun): Promise<{ records: number; text: string }> {
  let records = 0
  while (await anyOpen(deps.db, run)) {
    const now = deps.clock.now()
    const { rows, told } = await deps.db.transaction().execute(async (db) => {
      const cleared = await clearSome(db, run, now)
      return { rows: cleared, told: await tell(deps, db, cleared, run.runID, now) }
    })
    if (told) deps.notify.bell.ring()
    if (rows.length > 0) deps.bus.emit('alarm.changed', { recordIDs: rows.map((row) => row.id), opened: false })
    records += rows.length
    if (rows.length < stepRows) break
  }
  const text = records === 0 ? kept('没有需要解除的告警') : kept('解除告警 {count} 条', { count: records })
  return { records, text }
}
