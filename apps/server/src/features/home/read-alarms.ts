import { alarmLevels } from '@ithings/contract/features/alarms/config.ts'
import { DealState } from '@ithings/contract/features/alarms/record.ts'
import type { HomeAlarm, HomeSummary } from '@ithings/contract/features/home.ts'
import { dayStart, lastDays } from '@ithings/contract/zone-days.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { alarmCounts } from './alarm-counts.ts'

const days = 7
const mostLatest = 10
const mostTop = 10
/** Records among which the devices that repeat most are looked for. */
const topCandidates = 200
const open = sql.lit(DealState.alarming)

async function readOpen(db: Db): Promise<number[]> {
  const { rows } = await sql<{ level: number; open: number }>`
    select level, count(*) as open from alarm_record where deal_state = ${open} group by level`.execute(db)
  return alarmLevels.toSorted().map((level) => rows.find((row) => row.level === level)?.open ?? 0)
}

type Days = HomeSummary['alarms']['days']

export const emptyDays = (now: number, zone: string): Days =>
  lastDays(now, days, zone).map((day) => ({ ...day, levels: alarmLevels.map(() => 0) }))

async function readDays(db: Db, now: number, zone: string): Promise<Days> {
  const counted = emptyDays(now, zone)
  for (const { at, level, alarms } of await alarmCounts(db, counted[0]?.start ?? now)) {
    // A clock that is ahead: what has not happened yet belongs to today.
    const day = counted.find(({ end }) => at < end) ?? counted.at(-1)
    if (day) day.levels[level - 1] = (day.levels[level - 1] ?? 0) + alarms
  }
  return counted
}

interface LatestRow extends Omit<HomeAlarm, 'value'> {
  serial: string
  unit: string
}

/** The value that was seen, with the unit of its property; '' when it was no value (offline, an event, a timer). */
function shownValue({ serial, unit }: LatestRow): string {
  if (serial === '') return ''
  const { value } = JSON.parse(serial) as { value?: unknown }
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const shown = String(value).slice(0, 32)
  // Scenes write it with its unit.
  return shown === '' || shown.endsWith(unit) ? shown : `${shown} ${unit}`
}

/** Open, newest first; their last entry is read for these only. */
async function readLatest(db: Db): Promise<HomeAlarm[]> {
  const { rows } = await sql<LatestRow>`
    select record.id, alarm.name as "alarmName", record.level, record.product_id as "productID",
      record.device_name as "deviceName", coalesce(device_alias, '') as "deviceAlias", record.last_alarm as "lastAlarm",
      coalesce(entry.serial, '') as serial, coalesce(definition #>> '{define,unit}', '') as unit
    from (select * from alarm_record where deal_state = ${open} order by last_alarm desc limit ${sql.lit(mostLatest)}) record
    join alarm on alarm.id = record.alarm_id
    left join device on device.product_id = record.product_id and device.device_name = record.device_name
    left join lateral (select serial from alarm_log where alarm_record_id = record.id
      order by created_at desc, id desc limit 1) entry on true
    left join product_function property on property.product_id = record.product_id
      and property.identifier = nullif(entry.serial, '')::jsonb ->> 'dataID'
    order by record.last_alarm desc`.execute(db)
  return rows.map(({ serial, unit, ...row }) => ({ ...row, value: shownValue({ serial, unit, ...row }) }))
}

/** Devices whose open alarms repeat most, found among the records that repeat most. */
async function readTop(db: Db): Promise<HomeSummary['alarms']['top']> {
  const { rows } = await sql<HomeSummary['alarms']['top'][number]>`
    select often.product_id as "productID", often.device_name as "deviceName",
      coalesce(device_alias, '') as "deviceAlias", often.count, often.level
    from (
      select product_id, device_name, sum(count)::integer as count, max(level) as level
      from (select * from alarm_record where deal_state = ${open} order by count desc limit ${sql.lit(topCandidates)}) found
      where device_name <> '' group by 1, 2 order by 3 desc, 1, 2 limit ${sql.lit(mostTop)}) often
    left join device using (product_id, device_name)
    order by often.count desc, 1, 2`.execute(db)
  return rows
}

async function readHandled(db: Db, midnight: number): Promise<number> {
  const { rows } = await sql<{ handled: number }>`
    select count(*) as handled from alarm_deal where created_at >= ${midnight}`.execute(db)
  return rows[0]?.handled ?? 0
}

export async function readAlarms(db: Db, now: number, zone: string): Promise<HomeSummary['alarms']> {
  const [counted, byDay, latest, top, handledToday] = await Promise.all([
    readOpen(db),
    readDays(db, now, zone),
    readLatest(db),
    readTop(db),
    readHandled(db, dayStart(now, zone)),
  ])
  const today = (byDay.at(-1)?.levels ?? []).reduce((sum, count) => sum + count, 0)
  return { open: counted, today, handledToday, days: byDay, latest, top }
}
