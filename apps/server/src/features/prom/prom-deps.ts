import type { Common } from '#common-deps.ts'
import type { Gate } from '#http/route.ts'
import type { History } from '#ports/history.ts'

/** What queries of chart tools need; made once in app/. */
export interface PromDeps extends Common<'db' | 'clock'> {
  history: Pick<History, 'replay'>
  gate: Gate
}
