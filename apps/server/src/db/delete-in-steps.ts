import { type RawBuilder, sql } from 'kysely'
import type { Db } from './schema.ts'

const stepRows = 5_000

/**
 * Deletes a few thousand rows at a time, so that a large backlog never holds locks or floods the disk at once.
 * @param which the condition, and the order where an index should be followed
 * @returns how many
 */
export async function deleteInSteps(db: Db, table: string, key: string, which: RawBuilder<unknown>): Promise<number> {
  const [from, id] = [sql.table(table), sql.ref(key)]
  for (let total = 0; ; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${from} where ${id} in (select ${id} from ${from} where ${which} limit ${stepRows})`.execute(db)
    total += Number(numAffectedRows)
    if (numAffectedRows < stepRows) return total
  }
}
