/** query and query_range: one query from its parameters to its answer, within its limits. */
import { phrase } from '@ithings/contract/text.ts'
import { Turns } from '#http/turns.ts'
import type { Scope } from './metrics.ts'
import { gridOf, lookbackOf, type Params, timeOf, timeoutOf } from './params.ts'
import type { PromDeps } from './prom-deps.ts'
import { PromError } from './prom-error.ts'
import { Pace } from './promql/pace.ts'
import { parseQuery } from './promql/parse.ts'
import { runQuery } from './promql/run.ts'
import { readSamples } from './read-samples.ts'

/** Values that are looked at; of what a step looks at, the newest is kept. */
const mostRead = 20_000_000
/** Values that are kept; 16 bytes each. */
const mostSamples = 2_000_000
/** Of each part of an expression; 9 bytes each. */
const mostPoints = 2_000_000
const queriesAtOnce = 4
const queriesWaiting = 100

export interface Asker {
  params: Params
  scope: Scope
  /** He does not wait any more. */
  gone(): boolean
}

export const makePace = (params: Params, gone: () => boolean): Pace => {
  // Of the machine, not of the platform's clock: what counts is how long somebody waits.
  const now = () => performance.now()
  return new Pace({ deadline: now() + timeoutOf(params), now, gone, mostRead, mostSamples, mostPoints })
}

export function makeQueryRunner(deps: PromDeps) {
  const turns = new Turns(queriesAtOnce, queriesWaiting)
  return async ({ params, scope, gone }: Asker, instant: boolean) => {
    const expr = parseQuery(params.get('query') ?? '')
    const grid = instant ? { start: timeOf(params, 'time', deps.clock.now()), step: 1, count: 1 } : gridOf(params)
    const lookback = lookbackOf(params)
    const pace = makePace(params, gone)
    const giveBack = await turns.take(timeoutOf(params))
    if (!giveBack) throw new PromError('timeout', phrase('同时进行的查询过多，请稍后再试'))
    try {
      pace.check()
      const fetch = (needs: Parameters<typeof readSamples>[1]) => readSamples(deps, needs, { scope, pace })
      return { grid, answer: await runQuery(expr, { grid, instant, lookback, pace, fetch }) }
    } finally {
      giveBack()
    }
  }
}
