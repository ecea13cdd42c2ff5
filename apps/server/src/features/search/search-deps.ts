import type { Db } from '#db/schema.ts'
import type { Gate } from '#http/route.ts'

/** What the search needs; made once in app/. */
export interface SearchDeps {
  db: Db
  /** Kinds are shown to those who may list them. */
  allows: Gate['allows']
}
