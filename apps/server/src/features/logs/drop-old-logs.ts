/** Retention: in small steps, so that a large backlog never holds locks or floods the disk at once. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

const stepRows = 5_000
const dayMs = 86_400_000

async function dropBefore(db: Db, table: 'login_log' | 'operation_log', before: Date): Promise<number> {
  let total = 0
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where id in
        (select id from ${sql.table(table)} where created_at < ${before} order by created_at limit ${stepRows})`.execute(
      db,
    )
    total += Number(numAffectedRows)
    if (numAffectedRows < stepRows) return total
  }
}

export interface DroppedLogs {
  loginLogs: number
  operationLogs: number
}

export async function dropOldLogs(db: Db, clock: Clock): Promise<DroppedLogs> {
  const days = await db.selectFrom('setting').select(['login_log_days', 'operation_log_days']).executeTakeFirstOrThrow()
  return {
    loginLogs: await dropBefore(db, 'login_log', new Date(clock.now() - days.login_log_days * dayMs)),
    operationLogs: await dropBefore(db, 'operation_log', new Date(clock.now() - days.operation_log_days * dayMs)),
  }
}
