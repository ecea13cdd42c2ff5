import type { Db } from '#db/schema.ts'
import type { ProductBook } from '#features/products/door.ts'
import type { Clock } from '#ports/clock.ts'
import type { History } from '#ports/history.ts'
import type { LatestValues } from '#ports/latest-values.ts'

/** What reading device messages needs; made once in app/. */
export interface HistoryKit {
  db: Db
  clock: Clock
  history: History
  latest: Pick<LatestValues, 'read'>
  products: ProductBook
}
