/** decisions.md 4.3: occurrences and handlings have an end, by age and by number. */
import { dayMs } from '@ithings/contract/durations.ts'
import { DealState } from '@ithings/contract/features/alarms/record.ts'
import { type RawBuilder, sql } from 'kysely'
import { deleteInSteps } from '#db/delete-in-steps.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

const keepDays = 365
/** How many entries one record keeps. */
const keepEntries = 10_000

type Table = 'alarm_log' | 'alarm_deal' | 'alarm_record'

const dropWhere = (db: Db, table: Table, condition: RawBuilder<boolean>): Promise<number> =>
  deleteInSteps(db, table, 'id', condition)

/** The newest stay. Every entry and every handling follows an occurrence, so few records need a look. */
async function dropBeyond(db: Db, table: 'alarm_log' | 'alarm_deal'): Promise<number> {
  const records = await db.selectFrom('alarm_record').select('id').where('total_count', '>', keepEntries).execute()
  let total = 0
  for (const { id } of records) {
    const { rows } = await sql<{ created_at: number; id: number }>`
      select created_at, id from ${sql.table(table)} where alarm_record_id = ${id}
      order by created_at desc, id desc offset ${keepEntries} limit 1`.execute(db)
    const [last] = rows
    if (!last) continue
    total += await dropWhere(
      db,
      table,
      sql<boolean>`alarm_record_id = ${id} and (created_at, id) <= (${last.created_at}::bigint, ${last.id}::bigint)`,
    )
  }
  return total
}

export async function dropOldAlarms(db: Db, clock: Clock) {
  const before = clock.now() - keepDays * dayMs
  const old = sql<boolean>`created_at < ${before}`
  const logs = await dropWhere(db, 'alarm_log', old)
  const deals = await dropWhere(db, 'alarm_deal', old)
  return {
    alarmLogs: logs + (await dropBeyond(db, 'alarm_log')),
    alarmDeals: deals + (await dropBeyond(db, 'alarm_deal')),
    alarmRecords: await dropWhere(
      db,
      'alarm_record',
      sql<boolean>`last_alarm < ${before} and dealt_at < ${before} and deal_state <> ${DealState.alarming}`,
    ),
  }
}
