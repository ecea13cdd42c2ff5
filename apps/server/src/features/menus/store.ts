import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

/** The order every tree is shown in. */
export const readMenus = (db: Db) => db.selectFrom('menu').selectAll().orderBy('sort_order').orderBy('id').execute()

/**
 * Reads the tree for a change of it. One change at a time: two moves at the same moment could close a cycle
 * that neither of them sees, or a child could appear below an entry that is being deleted.
 */
export async function lockMenus(db: Db) {
  await sql`lock table menu in share row exclusive mode`.execute(db)
  return readMenus(db)
}
