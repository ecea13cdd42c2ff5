import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { readTrace } from '@ithings/contract/features/history.ts'
import type { Common } from '#common-deps.ts'
import type { ProductCache } from '#features/products/door.ts'
import type { History } from '#ports/history.ts'
import type { LatestValues } from '#ports/latest-values.ts'

/** As the trace tells it. */
export type TracedScene = DataOf<typeof readTrace>['scenes'][number]

/** What reading device messages needs; made once in app/. */
export interface HistoryDeps extends Common<'db' | 'clock'> {
  history: History
  latest: Pick<LatestValues, 'read'>
  products: ProductCache
  /** What scenes made of a message; they stand above the history, so app/ gives it. */
  scenesOf(traceID: string): Promise<TracedScene[]>
}
