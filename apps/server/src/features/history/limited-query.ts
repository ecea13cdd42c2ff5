import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

const limitMs = 15_000
/** SQLSTATE of a statement that the server gave up. */
const cancelled = '57014'

/** A search over everything may take too long: then it is given up and says what to do. */
export async function withinQueryLimit<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (tx) => {
        await sql`select set_config('statement_timeout', ${String(limitMs)}, true)`.execute(tx)
        return work(tx)
      })
  } catch (error) {
    if ((error as { code?: string }).code !== cancelled) throw error
    throw new AppError(errors.timeout, { detail: phrase('查询超过 15 秒，请缩短时间范围或指定设备'), cause: error })
  }
}
