/** Alarms of the devices that occurred within the period: one row for each record, counts by severity. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { type AlarmLevel, alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import { type DealState, dealStateLabels } from '@ithings/contract/features/alarms/record.ts'
import { reportLimits } from '@ithings/contract/features/reports.ts'
import { kept, phrase, type Translate } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Period } from '../periods.ts'
import type { ReportDevice } from './find-devices.ts'
import type { ReportSection } from './report-data.ts'

interface AlarmRow {
  id: number
  level: AlarmLevel
  name: string
  deviceID: number
  first: number
  last: number
  times: number
  dealState: DealState
}

const readAlarms = async (db: Db, ids: number[], { from, to }: Period): Promise<AlarmRow[]> => {
  const { rows } = await sql<AlarmRow>`
    select record.id, max(log.level)::int as level, alarm.name, device.device_id as "deviceID",
      min(log.created_at) as first, max(log.created_at) as last, count(*)::int as times,
      record.deal_state as "dealState"
    from alarm_log log join alarm_record record on record.id = log.alarm_record_id
      join alarm on alarm.id = record.alarm_id
      join device on device.product_id = log.product_id and device.device_name = log.device_name
    where log.created_at >= ${from} and log.created_at < ${to} and device.device_id = any(${ids}::bigint[])
    group by record.id, alarm.name, device.device_id, record.deal_state
    order by level desc, last desc limit ${reportLimits.rows + 1}`.execute(db)
  return rows
}

export const tooManyRows = () =>
  new AppError(errors.outOfRange, {
    msg: phrase('报表的一张表超过 {most, number} 行，请减少设备或属性、缩短时间，或改为按天统计', {
      most: reportLimits.rows,
    }),
  })

export async function alarmsSection(
  db: Db,
  devices: readonly ReportDevice[],
  period: Period,
  { t, timeText }: { t: Translate; timeText(time: number): string },
): Promise<ReportSection> {
  const labels = new Map(devices.map((one) => [one.deviceID, one.label]))
  const rows = await readAlarms(db, [...labels.keys()], period)
  if (rows.length > reportLimits.rows) throw tooManyRows()
  const levels = Object.keys(alarmLevelLabels).map(Number).toReversed() as AlarmLevel[]
  const counts = levels.map((level) => {
    const ofLevel = rows.filter((row) => row.level === level)
    return { level, records: ofLevel.length, times: ofLevel.reduce((sum, row) => sum + row.times, 0) }
  })
  const levelText = (level: AlarmLevel) => t(alarmLevelLabels[level])
  return {
    tables: [
      {
        title: t('各级别告警'),
        columns: [
          { head: t('级别'), type: 'text' },
          { head: t('告警数'), type: 'integer' },
          { head: t('发生次数'), type: 'integer' },
        ],
        rows: counts.map(({ level, records, times }) => [levelText(level), records, times]),
      },
      {
        title: t('告警明细'),
        columns: [
          { head: t('级别'), type: 'text' },
          { head: t('告警名称'), type: 'text' },
          { head: t('设备'), type: 'text' },
          { head: t('首次发生'), type: 'text' },
          { head: t('最近发生'), type: 'text' },
          { head: t('发生次数'), type: 'integer' },
          { head: t('现在的状态'), type: 'text' },
        ],
        rows: rows.map((row) => [
          levelText(row.level),
          row.name,
          labels.get(row.deviceID) ?? '',
          timeText(row.first),
          timeText(row.last),
          row.times,
          t(dealStateLabels[row.dealState]),
        ]),
      },
    ],
    facts: [
      { label: kept('告警数'), value: String(rows.length) },
      { label: kept('告警发生次数'), value: String(counts.reduce((sum, { times }) => sum + times, 0)) },
    ],
  }
}
