import { AppError, errors } from '@ithings/contract/errors.ts'
import type { Db } from '#db/schema.ts'

/** 0 for what is none: nothing is found by it. */
export const readRunID = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0)

/** Of a push of a configuration; other kinds of runs have doors of their own. */
export async function requirePush(db: Db, text: string): Promise<{ runID: number; productID: string }> {
  const row = await db
    .selectFrom('rollout')
    .select(['run_id', 'product_id'])
    .where('run_id', '=', readRunID(text))
    .where('kind', '=', 'config')
    .executeTakeFirst()
  if (!row) throw new AppError(errors.notFound, { detail: `下发记录 ${text} 不存在`, field: 'runID' })
  return { runID: row.run_id, productID: row.product_id }
}
