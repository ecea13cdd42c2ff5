/** A query from its text to its answer; whoever runs it says where series and their values come from. */
import { phrase } from '@ithings/contract/text.ts'
import { badData } from '../prom-error.ts'
import type { Expr, Selector } from './ast.ts'
import { typeOf } from './check-types.ts'
import { Evaluator } from './evaluate.ts'
import { sortByLabels } from './labels.ts'
import { type Need, needsOf } from './needs.ts'
import type { Pace } from './pace.ts'
import type { Grid, Samples, Series } from './values.ts'
import { momentOf } from './windows.ts'

export interface RunOptions {
  grid: Grid
  /** An instant query, which may answer a range or a text. */
  instant: boolean
  /** ms */
  lookback: number
  pace: Pace
  fetch(needs: Need[]): Promise<Map<Selector, Samples[]>>
}

export type Answer =
  | { type: 'scalar'; values: Float64Array }
  | { type: 'string'; value: string }
  | { type: 'vector'; series: Series[] }
  | { type: 'matrix'; list: Samples[] }

export async function runQuery(expr: Expr, { grid, instant, lookback, pace, fetch }: RunOptions): Promise<Answer> {
  const type = typeOf(expr)
  if (!instant && (type === 'matrix' || type === 'string')) {
    throw badData(phrase('query_range 的表达式须为标量或瞬时向量'))
  }
  const bounds = { start: grid.start, end: grid.start + (grid.count - 1) * grid.step }
  const samples = await fetch(needsOf(expr, grid, lookback))
  const evaluator = new Evaluator({ bounds, lookback, samples, pace })
  if (type !== 'matrix') {
    const value = await evaluator.evaluate(expr, grid)
    if (value.type !== 'vector' || instant) return value
    return { ...value, series: sortByLabels(value.series, ({ labels }) => labels) }
  }
  const { list, of } = await evaluator.range(expr, grid)
  const end = momentOf(of, grid, bounds)(0)
  const within = list.map(({ labels, times, values }) => {
    const [from, to] = [
      times.findIndex((time) => time > end - of.range),
      times.findLastIndex((time) => time <= end) + 1,
    ]
    const first = from < 0 ? times.length : from
    return { labels, times: times.slice(first, to), values: values.slice(first, to) }
  })
  return { type: 'matrix', list: within.filter(({ times }) => times.length > 0) }
}
