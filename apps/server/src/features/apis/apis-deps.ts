import type { Db } from '#db/schema.ts'
import type { Signal } from '#ports/signal.ts'

/** What the operations on APIs need; made once in app/. */
export interface ApisDeps {
  db: Db
  signal: Signal
}
