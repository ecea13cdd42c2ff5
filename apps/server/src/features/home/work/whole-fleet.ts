import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

/**
 * For statements that fill a table by comparing it with a whole fleet: was it empty when PostgreSQL looked last, it would
 * be read again for every device, with all that the statement itself has written. For the rest of the transaction.
 */
export const compareAtOnce = (db: Db) => sql`set local enable_nestloop = off`.execute(db)

/** What a piece of background work writes down (home_work). */
export interface Done {
  seen: number
  found: number
  /** Screens show something else now. */
  changed?: boolean
}
