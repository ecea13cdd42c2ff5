import type { Db } from '#db/schema.ts'
import type { Signal } from '#ports/signal.ts'

/** What the operations on roles need; made once in app/. */
export interface RolesDeps {
  db: Db
  signal: Signal
  /** Paths of the endpoints that a role does not hold. */
  withheldFrom: (role: number) => Promise<string[]>
}
