import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { nestable } from '#db/one-transaction.ts'
import type { Db } from '#db/schema.ts'

/** Nobody waits longer for another plan, or for what somebody else is just changing. */
const patience = '15s'
const lockNotAvailable = '55P03'

const inWords = (error: unknown): unknown =>
  (error as { code?: string } | undefined)?.code === lockNotAvailable
    ? new AppError(errors.ongoing, { detail: phrase('另一项配置正在修改，请稍后再试'), cause: error })
    : error

/** One transaction, of one plan at a time on all servers. */
export async function inTurn<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(async (outer) => {
      const own = nestable(outer)
      await sql`select set_config('lock_timeout', ${patience}, true)`.execute(own)
      await sql`select pg_advisory_xact_lock(hashtext('config_plan'))`.execute(own)
      return work(own)
    })
  } catch (error) {
    throw inWords(error)
  }
}
