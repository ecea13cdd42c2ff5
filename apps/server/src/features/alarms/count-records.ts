import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { alarmLevels } from '@ithings/contract/features/alarms/config.ts'
import { DealState, type countAlarmRecords as endpoint } from '@ithings/contract/features/alarms/record.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { type Asker, isLate, recordCondition } from './record-filter.ts'

interface LevelRow {
  level: number
  open: number
  overdue: number
  mine: number
  opened: number
  newest: number
}

const countByDevice = (db: Db, condition: RawBuilder<boolean>) =>
  db
    .selectFrom('alarm_record')
    .where(condition)
    .groupBy(['product_id', 'device_name'])
    .select(({ fn }) => [
      'product_id as productID',
      'device_name as deviceName',
      fn.countAll<number>().as('open'),
      fn.max('level').as('level'),
    ])
    .execute()

/** One query, without a filter from the index of open records alone: the header of every screen asks. */
export async function countRecords(db: Db, filter: BodyOutput<typeof endpoint>, asker: Asker) {
  const condition = await recordCondition(db, { ...filter, dealState: DealState.alarming }, asker)
  const { rows } = await sql<LevelRow>`
    with counted as (
      select level, count(*) as open, count(*) filter (where ${isLate(asker.now)}) as overdue,
        count(*) filter (where claim_user_id = ${asker.userID}) as mine, max(first_alarm) as opened
      from alarm_record where ${condition} group by level)
    select levels.level, coalesce(open, 0) as open, coalesce(overdue, 0) as overdue, coalesce(mine, 0) as mine,
      coalesce(opened, 0) as opened, (select coalesce(max(id), 0) from alarm_log) as newest
    from unnest(${[...alarmLevels]}::int[]) levels (level) left join counted on counted.level = levels.level
    order by levels.level desc`.execute(db)
  const sum = (of: (row: LevelRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    open: sum((row) => row.open),
    mine: sum((row) => row.mine),
    overdue: sum((row) => row.overdue),
    levels: rows.map(({ level, open, overdue }) => ({ level, open, overdue })),
    newestLog: rows[0]?.newest ?? 0,
    newestOpened: Math.max(...rows.map((row) => row.opened)),
    devices: filter.devices ? await countByDevice(db, condition) : [],
  }
}
