/** Which stretch of time each selector of a query looks at, so that everything is fetched at once. */
import type { Expr, Selector } from './ast.ts'
import type { Grid } from './values.ts'
import { anchorTime, type Bounds, usualStep } from './windows.ts'

/** `base` and every `step` before and after it, ms. */
export interface Moments {
  base: number
  step: number
}

/** ms, both ends included. */
export interface Need extends Bounds {
  selector: Selector
  /** When it looks at the newest value; undefined: it needs all values. */
  moments: Moments | undefined
}

/** One moment is one step of a grid that has no other. */
const momentsOf = ({ start, step, count }: Grid): Moments => ({ base: start, step: count === 1 ? 8.64e15 : step })

export function needsOf(expr: Expr, grid: Grid, lookback: number): Need[] {
  const bounds = { start: grid.start, end: grid.start + (grid.count - 1) * grid.step }
  const walk = (one: Expr, { start, end }: Bounds, moments: Moments): Need[] => {
    switch (one.kind) {
      case 'number':
      case 'string':
        return []
      case 'selector':
      case 'subquery': {
        const at = one.at === undefined ? undefined : anchorTime(one.at, bounds)
        const range = one.range ?? lookback
        const shifted = { start: (at ?? start) - one.offset - range, end: (at ?? end) - one.offset }
        // The steps of a subquery lie on multiples of its step.
        if (one.kind === 'subquery') return walk(one.expr, shifted, { base: 0, step: one.step ?? usualStep })
        const all = one.range !== undefined || at !== undefined
        const seen = all ? undefined : { base: moments.base - one.offset, step: moments.step }
        return [{ selector: one, ...shifted, moments: seen }]
      }
      case 'negation':
        return walk(one.expr, { start, end }, moments)
      case 'call':
        return one.args.flatMap((arg) => walk(arg, { start, end }, moments))
      case 'aggregation':
        return [one.expr, ...(one.param ? [one.param] : [])].flatMap((part) => walk(part, { start, end }, moments))
      case 'binary':
        return [one.left, one.right].flatMap((part) => walk(part, { start, end }, moments))
    }
  }
  return walk(expr, bounds, momentsOf(grid))
}
