/** Alarms as rules leave them in the tables, for tests that are about figures. */
import { uniqueText } from '#testing/people.ts'
import type { World } from '#testing/world.ts'

interface AlarmFields {
  level: number
  productID: string
  deviceName: string
  at?: number
  count?: number
  dealState?: number
}

/** A record of a new alarm. @returns its id */
export async function addAlarm(world: World, fields: AlarmFields): Promise<number> {
  const { level, productID, deviceName, at = world.clock.now(), count = 1, dealState = 2 } = fields
  const alarm = await world.db
    .insertInto('alarm')
    .values({ name: uniqueText('告警'), level })
    .returning('id')
    .executeTakeFirstOrThrow()
  const record = await world.db
    .insertInto('alarm_record')
    .values({
      alarm_id: alarm.id,
      trigger_type: 1,
      product_id: productID,
      device_name: deviceName,
      scene_id: 1,
      scene_name: '场景',
      level,
      deal_state: dealState,
      first_alarm: at,
      last_alarm: at,
      count,
      total_count: count,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return record.id
}

let runs = 0

export async function addLog(world: World, recordID: number, fields: { level: number; at: number; serial?: string }) {
  await world.db
    .insertInto('alarm_log')
    .values({
      alarm_record_id: recordID,
      level: fields.level,
      serial: fields.serial ?? '',
      scene_id: 1,
      scene_name: '场景',
      product_id: 'P1',
      device_name: 'pump',
      run_id: ++runs,
      created_at: fields.at,
    })
    .execute()
}
