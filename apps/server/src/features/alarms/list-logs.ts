/** Occurrences and handlings of records, newest first. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { AlarmLog, DealRecord, listAlarmLogs, listDealRecords } from '@ithings/contract/features/alarms/record.ts'
import { historyWindow } from '@ithings/contract/paging.ts'
import { sql } from 'kysely'
import { fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { resultText } from './alarm-wire.ts'
import { rangeCondition } from './time-range.ts'

export async function listLogs(db: Db, input: BodyOutput<typeof listAlarmLogs>) {
  const range = sql.join([sql`true`, ...rangeCondition('created_at', input.timeRange)], sql` and `)
  const filtered = db
    .selectFrom('alarm_log')
    .where(sql<boolean>`alarm_record_id = ${input.alarmRecordID}::bigint`)
    .where(sql<boolean>`${range}`)
  const page = await fetchPage(filtered, (q) => q.selectAll(), input.page, {
    columns: { createdTime: 'created_at' },
    fallback: { column: sql`created_at desc, id`, desc: true },
    window: historyWindow,
  })
  const list = page.list.map(
    (row): AlarmLog => ({
      id: row.id,
      alarmRecordID: row.alarm_record_id,
      desc: row.description,
      serial: row.serial,
      sceneName: row.scene_name,
      sceneID: row.scene_id,
      createdTime: row.created_at,
      level: row.level,
      productID: row.product_id,
      deviceName: row.device_name,
    }),
  )
  return { list, total: page.total, num: page.total }
}

export async function listDeals(db: Db, input: BodyOutput<typeof listDealRecords>) {
  const { alarmRecordID } = input
  const range = sql.join([sql`true`, ...rangeCondition('created_at', input.timeRange)], sql` and `)
  const filtered = db
    .selectFrom('alarm_deal')
    .where(sql<boolean>`${range}`)
    .$if(!!alarmRecordID, (q) => q.where(sql<boolean>`alarm_record_id = ${alarmRecordID}::bigint`))
  const page = await fetchPage(filtered, (q) => q.selectAll(), input.page, {
    columns: { createdTime: 'created_at', alarmTime: 'alarm_time' },
    fallback: { column: sql`created_at desc, id`, desc: true },
    window: historyWindow,
  })
  const list = page.list.map(
    (row): DealRecord => ({
      id: row.id,
      alarmRecordID: row.alarm_record_id,
      result: resultText(row.result),
      type: row.type,
      alarmTime: row.alarm_time,
      createdTime: row.created_at,
      userName: row.user_name,
    }),
  )
  return { list, total: page.total, num: page.total }
}
