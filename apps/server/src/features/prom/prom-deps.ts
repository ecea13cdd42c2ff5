import type { Db } from '#db/schema.ts'
import type { Gate } from '#http/route.ts'
import type { Clock } from '#ports/clock.ts'
import type { History } from '#ports/history.ts'

/** What queries of chart tools need; made once in app/. */
export interface PromDeps {
  db: Db
  clock: Clock
  history: Pick<History, 'replay'>
  gate: Gate
}
