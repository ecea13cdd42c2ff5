/** Operators: of two numbers, of a vector and a number, and of two vectors whose labels match. */
import { phrase } from '@ithings/contract/text.ts'
import { execution } from '../prom-error.ts'
import type { Binary, Matching } from './ast.ts'
import { isComparison, isSetOperator } from './check-types.ts'
import { except, keyOf, type Labels, only, withLabel, withoutName } from './labels.ts'
import type { Pace } from './pace.ts'
import { emptySeries, joinEqual, put, type Series, type Value } from './values.ts'

/** One to any power is one, also to none that is a number: as Prometheus has it, unlike JavaScript. */
const power = (base: number, exponent: number): number =>
  base === 1 || (base === -1 && Math.abs(exponent) === Number.POSITIVE_INFINITY) ? 1 : base ** exponent

const arithmetic: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '^': power,
  atan2: Math.atan2,
}
const comparisons: Record<string, (a: number, b: number) => boolean> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
}

/** Undefined: the comparison does not hold, so there is nothing. */
type Operate = (left: number, right: number) => number | undefined

/** @param kept which side a comparison leaves */
function operation({ op, bool }: Binary, kept: 'left' | 'right' = 'left'): Operate {
  const compare = comparisons[op]
  if (!compare) return arithmetic[op] ?? (() => undefined)
  if (bool) return (left, right) => Number(compare(left, right))
  return (left, right) => (compare(left, right) ? (kept === 'left' ? left : right) : undefined)
}

const dropsName = ({ op, bool }: Binary): boolean => bool || !isComparison(op)

async function withScalar(
  expr: Binary,
  list: Series[],
  { scalars, scalarLeft, pace }: { scalars: Float64Array; scalarLeft: boolean; pace: Pace },
): Promise<Series[]> {
  const operate = operation(expr, scalarLeft ? 'right' : 'left')
  const results: Series[] = []
  for (const { labels, values, has } of list) {
    const result = emptySeries(dropsName(expr) ? withoutName(labels) : labels, scalars.length)
    for (let i = 0; i < scalars.length; i++) {
      if (!has[i]) continue
      const [value, scalar] = [values[i] as number, scalars[i] as number]
      const answer = scalarLeft ? operate(scalar, value) : operate(value, scalar)
      if (answer !== undefined) put(result, i, answer)
    }
    results.push(result)
    if (pace.due(scalars.length * 2)) await pace.rest()
  }
  return joinEqual(results)
}

/** The labels by which the sides match. */
function matchedBy({ on, labels }: Matching): (labels: Labels) => string {
  const names = new Set(labels)
  return (all) => keyOf(on ? only(all, names) : except(all, names))
}

const groupBy = (list: Series[], keyFor: (labels: Labels) => string): Map<string, Series[]> =>
  Map.groupBy(list, ({ labels }) => keyFor(labels))

/** In step `i` any of them has a value. */
const anyAt = (list: Series[] | undefined, i: number): boolean => list?.some(({ has }) => has[i]) ?? false

async function combine(expr: Binary, left: Series[], right: Series[], pace: Pace): Promise<Series[]> {
  const keyFor = matchedBy(expr.matching)
  const filter = async (list: Series[], others: Map<string, Series[]>, wanted: boolean) => {
    const results: Series[] = []
    for (const { labels, values, has } of list) {
      const partners = others.get(keyFor(labels))
      const result = emptySeries(labels, has.length)
      for (let i = 0; i < has.length; i++)
        if (has[i] && anyAt(partners, i) === wanted) put(result, i, values[i] as number)
      results.push(result)
      if (pace.due(has.length * (1 + (partners?.length ?? 0)))) await pace.rest()
    }
    return results
  }
  if (expr.op === 'or') return joinEqual([...left, ...(await filter(right, groupBy(left, keyFor), false))])
  return joinEqual(await filter(left, groupBy(right, keyFor), expr.op === 'and'))
}

function resultLabels(expr: Binary, many: Labels, one: Labels): Labels {
  const { on, labels, many: side, include } = expr.matching
  const names = new Set(labels)
  const base = dropsName(expr) ? withoutName(many) : many
  if (side === 'none' && on) return only(base, names)
  if (side === 'none') return new Map([...base].filter(([name]) => !names.has(name)))
  return include.reduce((result, name) => withLabel(result, name, one.get(name) ?? ''), base)
}

/** The only one of the group that has a value in step `i`; two are an error. */
function partnerAt(group: Series[], i: number): Series | undefined {
  let found: Series | undefined
  for (const series of group) {
    if (!series.has[i]) continue
    if (found) throw execution(phrase('运算的一侧有多条序列匹配同一组标签，多对多匹配不允许'))
    found = series
  }
  return found
}

/** Every result of one step has labels of its own. */
class Results {
  readonly #series = new Map<string, Series>()
  readonly #count: number
  readonly #oneToOne: boolean
  constructor(count: number, oneToOne: boolean) {
    this.#count = count
    this.#oneToOne = oneToOne
  }

  seriesOf(labels: Labels): Series {
    const key = keyOf(labels)
    const series = this.#series.get(key) ?? emptySeries(labels, this.#count)
    this.#series.set(key, series)
    return series
  }

  put(series: Series, i: number, value: number): void {
    if (series.has[i]) {
      throw execution(
        this.#oneToOne
          ? phrase('多条序列匹配同一组标签，多对一匹配须写 group_left 或 group_right')
          : phrase('多条序列的结果标签相同，group_left 或 group_right 的标签须使结果唯一'),
      )
    }
    put(series, i, value)
  }

  list(): Series[] {
    return [...this.#series.values()].filter(({ has }) => has.includes(1))
  }
}

async function match(expr: Binary, left: Series[], right: Series[], count: number, pace: Pace): Promise<Series[]> {
  const { matching } = expr
  const swapped = matching.many === 'right'
  const [many, one] = swapped ? [right, left] : [left, right]
  const operate = operation(expr)
  const keyFor = matchedBy(matching)
  const ones = groupBy(one, keyFor)
  const results = new Results(count, matching.many === 'none')
  for (const group of ones.values()) {
    // Two of one side are an error, also where nothing of the other side asks for them.
    for (let i = 0; i < count; i++) partnerAt(group, i)
    if (pace.due(count * group.length)) await pace.rest()
  }
  for (const series of many) {
    const group = ones.get(keyFor(series.labels))
    if (!group) continue
    const targets = new Map<Series, Series>()
    for (let i = 0; i < count; i++) {
      const partner = series.has[i] ? partnerAt(group, i) : undefined
      if (!partner) continue
      const [a, b] = [series.values[i] as number, partner.values[i] as number]
      const value = swapped ? operate(b, a) : operate(a, b)
      if (value === undefined) continue
      const target = targets.get(partner) ?? results.seriesOf(resultLabels(expr, series.labels, partner.labels))
      targets.set(partner, target)
      results.put(target, i, value)
    }
    if (pace.due(count * (1 + group.length))) await pace.rest()
  }
  return results.list()
}

export async function operate(expr: Binary, left: Value, right: Value, count: number, pace: Pace): Promise<Value> {
  if (left.type === 'scalar' && right.type === 'scalar') {
    const two = operation(expr)
    return {
      type: 'scalar',
      values: left.values.map((value, i) => two(value, right.values[i] as number) ?? Number.NaN),
    }
  }
  if (left.type === 'vector' && right.type === 'vector') {
    const series = isSetOperator(expr.op)
      ? await combine(expr, left.series, right.series, pace)
      : await match(expr, left.series, right.series, count, pace)
    return { type: 'vector', series }
  }
  if (left.type === 'vector' && right.type === 'scalar') {
    return {
      type: 'vector',
      series: await withScalar(expr, left.series, { scalars: right.values, scalarLeft: false, pace }),
    }
  }
  if (left.type === 'scalar' && right.type === 'vector') {
    return {
      type: 'vector',
      series: await withScalar(expr, right.series, { scalars: left.values, scalarLeft: true, pace }),
    }
  }
  throw new Error('the check of types lets no other operands through')
}
