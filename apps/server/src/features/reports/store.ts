import { errors, refusal } from '@ithings/contract/errors.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { ReportRunTable, ReportTable } from '#db/tables/reports.ts'

export type ReportRow = Selectable<ReportTable>
export type RunRow = Selectable<ReportRunTable>

/** @param lock until the end of the transaction */
export async function findReport(db: Db, id: number, lock = false): Promise<ReportRow> {
  const row = await db
    .selectFrom('report')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw refusal(errors.notFound, '报表 {id} 不存在', { id })
  return row
}

/** Asked before a channel is deleted. */
export async function reportsUsingChannel(db: Db, channelID: number): Promise<string[]> {
  const rows = await db
    .selectFrom('report')
    .select('name')
    .where(sql<boolean>`plan -> 'channelIDs' @> ${JSON.stringify([channelID])}::jsonb`)
    .orderBy('name')
    .execute()
  return rows.map((row) => row.name)
}
