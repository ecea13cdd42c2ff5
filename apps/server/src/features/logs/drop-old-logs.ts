import { dayMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import { deleteInSteps } from '#db/delete-in-steps.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

const stepRows = 5_000

/** The only way out of the operation log: it keeps what the rest of the chain begins with (migration 0025). */
async function dropOperations(db: Db, before: Date): Promise<number> {
  for (let total = 0; ; ) {
    const { rows } = await sql<{ dropped: number }>`
      select operation_log_drop(${before}, ${stepRows}) as dropped`.execute(db)
    const dropped = rows[0]?.dropped ?? 0
    total += dropped
    if (dropped < stepRows) return total
  }
}

export interface DroppedLogs {
  loginLogs: number
  operationLogs: number
}

export async function dropOldLogs(db: Db, clock: Clock): Promise<DroppedLogs> {
  const days = await db.selectFrom('setting').select(['login_log_days', 'operation_log_days']).executeTakeFirstOrThrow()
  const daysAgo = (count: number) => new Date(clock.now() - count * dayMs)
  return {
    loginLogs: await deleteInSteps(
      db,
      'login_log',
      'id',
      sql`created_at < ${daysAgo(days.login_log_days)} order by created_at`,
    ),
    operationLogs: await dropOperations(db, daysAgo(days.operation_log_days)),
  }
}
