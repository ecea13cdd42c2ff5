import { errors, refusal } from '@ithings/contract/errors.ts'
import type { Db } from '#db/schema.ts'

/** A text that is no id becomes 0, which no run has, so that the search finds nothing instead of failing. */
export const readRunID = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0)

/** The run must be a push of a configuration: those of tasks and upgrades are none of this feature's business. */
export async function requirePush(db: Db, text: string): Promise<{ runID: number; productID: string }> {
  const row = await db
    .selectFrom('rollout')
    .select(['run_id', 'product_id'])
    .where('run_id', '=', readRunID(text))
    .where('kind', '=', 'config')
    .executeTakeFirst()
  if (!row) throw refusal(errors.notFound, '下发记录 {runID} 不存在', { runID: text }, { field: 'runID' })
  return { runID: row.run_id, productID: row.product_id }
}
