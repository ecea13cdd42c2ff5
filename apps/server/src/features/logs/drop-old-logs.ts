/** Retention: in small steps, so that a large backlog never holds locks or floods the disk at once. */
import { dayMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

const stepRows = 5_000

async function inSteps(step: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const dropped = await step()
    total += dropped
    if (dropped < stepRows) return total
  }
}

const dropLogins = (db: Db, before: Date) =>
  inSteps(async () => {
    const { numAffectedRows = 0n } = await sql`
      delete from login_log where id in
        (select id from login_log where created_at < ${before} order by created_at limit ${stepRows})`.execute(db)
    return Number(numAffectedRows)
  })

/** The only way out of the operation log: it keeps what the rest of the chain begins with (migration 0025). */
const dropOperations = (db: Db, before: Date) =>
  inSteps(async () => {
    const { rows } = await sql<{ dropped: number }>`
      select operation_log_drop(${before}, ${stepRows}) as dropped`.execute(db)
    return rows[0]?.dropped ?? 0
  })

export interface DroppedLogs {
  loginLogs: number
  operationLogs: number
}

export async function dropOldLogs(db: Db, clock: Clock): Promise<DroppedLogs> {
  const days = await db.selectFrom('setting').select(['login_log_days', 'operation_log_days']).executeTakeFirstOrThrow()
  return {
    loginLogs: await dropLogins(db, new Date(clock.now() - days.login_log_days * dayMs)),
    operationLogs: await dropOperations(db, new Date(clock.now() - days.operation_log_days * dayMs)),
  }
}
