import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import {
  type AlarmRecord,
  DealState,
  type listAlarmRecords as endpoint,
  type recordSortFields,
} from '@ithings/contract/features/alarms/record.ts'
import { toStr } from '@ithings/contract/wire.ts'
import { type Selectable, sql } from 'kysely'
import { fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import type { AlarmRecordTable } from '#db/tables/alarms.ts'
import { resultText } from './alarm-wire.ts'
import { type Asker, recordCondition } from './record-filter.ts'

type RecordRow = Selectable<AlarmRecordTable>

const columns = {
  level: 'level',
  lastAlarm: 'last_alarm',
  firstAlarm: 'first_alarm',
  count: 'total_count',
  createdTime: 'created_at',
  dealState: 'deal_state',
} as const satisfies Record<(typeof recordSortFields)[number], unknown>

/** Open first, worst first, newest first: the index alarm_record_queue read backwards. */
const queueOrder = sql`(deal_state = 2) desc, level desc, last_alarm desc, alarm_record.id`

interface Names {
  alarmName: string
  productName: string
  deviceAlias: string
  deviceType: number
}

/** Looked up for the rows of the page only. Who is gone leaves an empty name: records outlive devices. */
async function namesOf(db: Db, ids: number[]): Promise<(id: number) => Names> {
  const { rows } = await sql<Names & { id: number }>`
    select r.id, a.name as "alarmName", coalesce(p.product_name, '') as "productName",
      coalesce(d.device_alias, '') as "deviceAlias", coalesce(p.device_type, 0) as "deviceType"
    from alarm_record r join alarm a on a.id = r.alarm_id
    left join product p on p.product_id = r.product_id
    left join device d on d.product_id = r.product_id and d.device_name = r.device_name
    where r.id = any(${ids}::int[])`.execute(db)
  const byID = new Map(rows.map((row) => [row.id, row]))
  return (id) => byID.get(id) ?? { alarmName: '', productName: '', deviceAlias: '', deviceType: 0 }
}

function toRecord(row: RecordRow, names: Names): AlarmRecord {
  const { alarmName, productName, deviceAlias, deviceType } = names
  // Of a record that is open again the last handling is history: the deal records tell of it.
  const over = row.deal_state === DealState.handled
  return {
    id: row.id,
    alarmID: row.alarm_id,
    triggerType: row.trigger_type,
    productID: row.product_id,
    deviceName: row.device_name,
    sceneName: row.scene_name,
    sceneID: row.scene_id,
    level: row.level,
    lastAlarm: row.last_alarm,
    dealState: row.deal_state,
    createdTime: row.created_at,
    // decisions.md 2 "Alarm record": it goes on when the record is opened again.
    count: row.total_count,
    firstAlarm: row.first_alarm,
    claimUserID: toStr(row.claim_user_id),
    claimUserName: row.claim_user,
    claimTime: row.claimed_at,
    totalCount: row.total_count,
    openedCount: row.count,
    alarmName,
    productName,
    deviceAlias,
    deviceType,
    dealTime: over ? row.dealt_at : 0,
    dealUserName: over ? row.dealt_by : '',
    dealResult: over ? resultText(row.deal_result) : '',
    dueTime: row.due_at,
    cause: row.cause,
  }
}

export async function listRecords(db: Db, input: BodyOutput<typeof endpoint>, asker: Asker) {
  const { page: asked, ...filter } = input
  const condition = await recordCondition(db, filter, asker)
  const filtered = db.selectFrom('alarm_record').where(condition)
  const page = await fetchPage(filtered, (q) => q.selectAll(), asked, {
    columns,
    fallback: { column: queueOrder, desc: true },
  })
  const names = await namesOf(
    db,
    page.list.map((row) => row.id),
  )
  return { list: page.list.map((row) => toRecord(row, names(row.id))), total: page.total, num: page.total }
}
