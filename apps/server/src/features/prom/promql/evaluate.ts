/** Walks through a query and says what it is at every step. Values are fetched before; nothing here waits for anybody. */

import { aggregate } from './aggregate.ts'
import type { Aggregation, Call, Expr, Selector, Subquery } from './ast.ts'
import { operate } from './binary.ts'
import { typeOf } from './check-types.ts'
import { dateFunctions, valueFunctions } from './instant-functions.ts'
import { absentLabels, labelJoin, labelReplace } from './label-functions.ts'
import { withoutName } from './labels.ts'
import type { Pace } from './pace.ts'
import { keepsName, rangeFunctions } from './range-functions.ts'
import { emptySeries, type Grid, joinEqual, put, type Samples, type Series, timeAt, type Value } from './values.ts'
import { type Bounds, momentOf, newestAt, overWindows, usualStep } from './windows.ts'

export interface Context {
  /** Of the query itself. */
  bounds: Bounds
  /** ms; older values are not there. */
  lookback: number
  /** What each selector found. */
  samples: ReadonlyMap<Selector, Samples[]>
  pace: Pace
}

const scalar = (values: Float64Array): Value => ({ type: 'scalar', values })
const vector = (series: Series[]): Value => ({ type: 'vector', series })
const unnamed = (series: Series): Series => ({ ...series, labels: withoutName(series.labels) })

/** The steps of a subquery lie on multiples of its step, whenever it is asked. */
export function gridOf(query: Subquery, outer: Grid, bounds: Bounds): Grid {
  const step = query.step ?? usualStep
  const moment = momentOf(query, outer, bounds)
  const from = moment(0) - query.range
  const start = (Math.floor(from / step) + 1) * step
  return { start, step, count: Math.max(0, Math.floor((moment(outer.count - 1) - start) / step) + 1) }
}

function toSamples({ labels, values, has }: Series, grid: Grid): Samples {
  const times: number[] = []
  const found: number[] = []
  for (let i = 0; i < grid.count; i++) {
    if (!has[i]) continue
    times.push(timeAt(grid, i))
    found.push(values[i] as number)
  }
  return { labels, times: Float64Array.from(times), values: Float64Array.from(found) }
}

export class Evaluator {
  readonly #context: Context
  constructor(context: Context) {
    this.#context = context
  }

  async evaluate(expr: Expr, grid: Grid): Promise<Value> {
    const { samples, pace } = this.#context
    switch (expr.kind) {
      case 'number':
        return scalar(new Float64Array(grid.count).fill(expr.value))
      case 'string':
        return { type: 'string', value: expr.value }
      case 'selector':
        return vector(await newestAt(samples.get(expr) ?? [], expr, grid, this.#context))
      case 'negation':
        return this.#negate(await this.evaluate(expr.expr, grid))
      case 'call':
        return this.#call(expr, grid)
      case 'aggregation':
        return this.#aggregate(expr, grid)
      case 'binary': {
        const left = await this.evaluate(expr.left, grid)
        const right = await this.evaluate(expr.right, grid)
        return operate(expr, left, right, grid.count, pace)
      }
      case 'subquery':
        throw new Error('a range has no value of its own')
    }
  }

  /** The values of a range: stored ones, or those of a subquery at its steps. */
  async range(expr: Expr, grid: Grid): Promise<{ list: Samples[]; of: (Selector | Subquery) & { range: number } }> {
    const { samples, bounds, pace } = this.#context
    if (expr.kind === 'selector' && expr.range !== undefined) {
      return { list: samples.get(expr) ?? [], of: { ...expr, range: expr.range } }
    }
    if (expr.kind !== 'subquery') throw new Error('the check of types lets only ranges through')
    const inner = gridOf(expr, grid, bounds)
    pace.refusePoints(1, inner.count)
    const series = inner.count === 0 ? [] : await this.#vector(expr.expr, inner)
    return { list: series.map((one) => toSamples(one, inner)), of: expr }
  }

  async #vector(expr: Expr, grid: Grid): Promise<Series[]> {
    const value = await this.evaluate(expr, grid)
    return value.type === 'vector' ? value.series : []
  }

  /** A scalar at each step. */
  async #scalars(expr: Expr | undefined, grid: Grid): Promise<Float64Array> {
    const value = expr && (await this.evaluate(expr, grid))
    return value?.type === 'scalar' ? value.values : new Float64Array(grid.count)
  }

  #negate(value: Value): Value {
    if (value.type === 'scalar') return scalar(value.values.map((one) => -one))
    if (value.type !== 'vector') return value
    return vector(joinEqual(value.series.map((one) => ({ ...unnamed(one), values: one.values.map((x) => -x) }))))
  }

  async #aggregate(expr: Aggregation, grid: Grid): Promise<Value> {
    const { pace } = this.#context
    const series = await this.#vector(expr.expr, grid)
    const { param } = expr
    const asked = param?.kind === 'string' ? param.value : await this.#scalars(param, grid)
    return vector(await aggregate(expr, series, asked, { count: grid.count, pace }))
  }

  async #call(call: Call, grid: Grid): Promise<Value> {
    const { name, args } = call
    if (rangeFunctions[name]) return this.#overRange(call, grid)
    if (valueFunctions[name]) return this.#byValue(call, grid)
    if (dateFunctions[name]) return this.#byDate(call, grid)
    switch (name) {
      case 'time':
        return scalar(Float64Array.from({ length: grid.count }, (_, i) => timeAt(grid, i) / 1000))
      case 'pi':
        return scalar(new Float64Array(grid.count).fill(Math.PI))
      case 'vector': {
        const values = await this.#scalars(args[0], grid)
        return vector([{ labels: new Map(), values, has: new Uint8Array(grid.count).fill(1) }])
      }
      case 'absent_over_time':
        return this.#absentOverTime(args[0] as Expr, grid)
      case 'timestamp':
        return this.#timestamp(args[0] as Expr, grid)
    }
    return this.#ofVector(call, await this.#vector(args[0] as Expr, grid), grid)
  }

  #ofVector({ name, args }: Call, series: Series[], grid: Grid): Value {
    const texts = args.slice(1).map((arg) => (arg.kind === 'string' ? arg.value : ''))
    switch (name) {
      case 'scalar':
        return scalar(this.#onlyOne(series, grid))
      case 'absent':
        return vector(this.#absent(args[0] as Expr, (i) => series.some(({ has }) => has[i]), grid))
      case 'sort':
      case 'sort_desc':
        return vector(this.#sorted(series, name === 'sort_desc', grid))
      case 'label_replace':
      case 'label_join': {
        const change =
          name === 'label_join'
            ? labelJoin(...(texts as [string, string, ...string[]]))
            : labelReplace(...(texts as [string, string, string, string]))
        return vector(joinEqual(series.map((one) => ({ ...one, labels: change(one.labels) }))))
      }
      default:
        throw new Error(`the function ${name} is known but not made`)
    }
  }

  async #overRange({ name, args }: Call, grid: Grid): Promise<Value> {
    const { list, of } = await this.range(args.find((arg) => typeOf(arg) === 'matrix') as Expr, grid)
    const params = await this.#scalars(
      args.find((arg) => typeOf(arg) === 'scalar'),
      grid,
    )
    const run = rangeFunctions[name]
    const found = await overWindows(list, of, grid, this.#context, (window, i) => run?.(window, params[i] as number))
    return vector(joinEqual(keepsName.has(name) ? found : found.map(unnamed)))
  }

  async #byValue({ name, args }: Call, grid: Grid): Promise<Value> {
    const { pace } = this.#context
    const series = await this.#vector(args[0] as Expr, grid)
    const scalars: Float64Array[] = []
    for (const arg of args.slice(1)) scalars.push(await this.#scalars(arg, grid))
    const run = valueFunctions[name] ?? Number
    const results: Series[] = []
    for (const { labels, values, has } of series) {
      const result = emptySeries(withoutName(labels), grid.count)
      for (let i = 0; i < grid.count; i++) {
        const beside = scalars.map((list) => list[i] as number)
        // Nothing lies between bounds that are the wrong way round.
        const impossible = name === 'clamp' && (beside[0] as number) > (beside[1] as number)
        if (has[i] && !impossible) put(result, i, run(values[i] as number, ...beside))
      }
      results.push(result)
      if (pace.due(grid.count * 3)) await pace.rest()
    }
    return vector(joinEqual(results))
  }

  async #byDate({ name, args }: Call, grid: Grid): Promise<Value> {
    const asked = args[0] ?? { kind: 'call', name: 'vector', args: [{ kind: 'call', name: 'time', args: [] }] }
    const series = await this.#vector(asked, grid)
    const run = dateFunctions[name] ?? Number
    return vector(joinEqual(series.map((one) => ({ ...unnamed(one), values: one.values.map(run) }))))
  }

  /** Of stored values their own time, of others that of the step. */
  async #timestamp(expr: Expr, grid: Grid): Promise<Value> {
    if (expr.kind === 'selector') {
      const list = this.#context.samples.get(expr) ?? []
      return vector(joinEqual((await newestAt(list, expr, grid, this.#context, 'times')).map(unnamed)))
    }
    const series = await this.#vector(expr, grid)
    const times = Float64Array.from({ length: grid.count }, (_, i) => timeAt(grid, i) / 1000)
    return vector(joinEqual(series.map((one) => ({ ...unnamed(one), values: times }))))
  }

  #onlyOne(series: Series[], { count }: Grid): Float64Array {
    return Float64Array.from({ length: count }, (_, i) => {
      const there = series.filter(({ has }) => has[i])
      return there.length === 1 ? (there[0]?.values[i] as number) : Number.NaN
    })
  }

  #absent(expr: Expr, there: (i: number) => boolean, { count }: Grid): Series[] {
    const result = emptySeries(absentLabels(expr), count)
    for (let i = 0; i < count; i++) if (!there(i)) put(result, i, 1)
    return joinEqual([result])
  }

  async #absentOverTime(expr: Expr, grid: Grid): Promise<Value> {
    const { list, of } = await this.range(expr, grid)
    const found = await overWindows(list, of, grid, this.#context, () => 1)
    return vector(this.#absent(expr, (i) => found.some(({ has }) => has[i]), grid))
  }

  /** Of an instant query only; NaN comes last either way. */
  #sorted(series: Series[], falling: boolean, { count }: Grid): Series[] {
    if (count !== 1) return series
    return series.toSorted((one, other) => {
      const [a, b] = [one.values[0] as number, other.values[0] as number]
      if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
      return falling ? b - a : a - b
    })
  }
}
