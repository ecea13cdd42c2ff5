import type { Db } from '#db/schema.ts'
import type { Signal } from '#ports/signal.ts'

/** What the operations on menus need; made once in app/. */
export interface MenusDeps {
  db: Db
  signal: Signal
}
