/** Many series to few: sum, topk and the others, by labels. */
import { phrase } from '@ithings/contract/text.ts'
import { execution } from '../prom-error.ts'
import type { Aggregation } from './ast.ts'
import { except, keyOf, type Labels, only, withLabel } from './labels.ts'
import { sayNumber } from './number-text.ts'
import type { Pace } from './pace.ts'
import { ExactSum, emptySeries, joinEqual, put, quantileOf, type Series, Spread } from './values.ts'

interface Group {
  labels: Labels
  members: Series[]
}

function groupsOf({ labels, without }: Aggregation, list: Series[]): Group[] {
  const names = new Set(labels)
  const groups = new Map<string, Group>()
  for (const series of list) {
    const kept = without ? except(series.labels, names) : only(series.labels, names)
    const key = keyOf(kept)
    const group = groups.get(key) ?? { labels: kept, members: [] }
    groups.set(key, group)
    group.members.push(series)
  }
  return [...groups.values()]
}

const sumOf = (values: number[]): number => {
  const sum = new ExactSum()
  for (const value of values) sum.add(value)
  return sum.total
}

const varianceOf = (values: number[]): number => {
  const spread = new Spread()
  for (const value of values) spread.add(value)
  return spread.variance
}

/** NaN gives way to any number. */
const extreme = (values: number[], better: (a: number, b: number) => boolean): number =>
  values.reduce((best, value) => (better(value, best) || Number.isNaN(best) ? value : best))

const reductions: Record<string, (values: number[], param: number) => number> = {
  sum: sumOf,
  avg: (values) => sumOf(values) / values.length,
  min: (values) => extreme(values, (a, b) => a < b),
  max: (values) => extreme(values, (a, b) => a > b),
  count: (values) => values.length,
  group: () => 1,
  stdvar: varianceOf,
  stddev: (values) => Math.sqrt(varianceOf(values)),
  quantile: (values, q) => quantileOf(q, values),
}

/** NaN comes last either way. */
const ranked = (a: number, b: number, falling: boolean): number => {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return falling ? b - a : a - b
}

/** The members as they are, where they are among the first. In an instant query they come in their order. */
async function chooseFirst({ members }: Group, op: string, params: Float64Array, pace: Pace): Promise<Series[]> {
  const count = params.length
  const chosen = new Map<Series, Series>()
  for (let i = 0; i < count; i++) {
    const most = Math.trunc(params[i] as number)
    if (pace.due(members.length * 20)) await pace.rest()
    if (!(most >= 1)) continue
    const there = members.filter(({ has }) => has[i])
    there.sort((a, b) => ranked(a.values[i] as number, b.values[i] as number, op === 'topk'))
    for (const member of there.slice(0, most)) {
      const series = chosen.get(member) ?? emptySeries(member.labels, count)
      chosen.set(member, series)
      put(series, i, member.values[i] as number)
    }
  }
  return [...chosen.values()]
}

async function countValues({ labels, members }: Group, label: string, count: number, pace: Pace): Promise<Series[]> {
  const found = new Map<string, Series>()
  for (const { has, values } of members) {
    if (pace.due(count * 5)) await pace.rest()
    for (let i = 0; i < count; i++) {
      if (!has[i]) continue
      const text = sayNumber(values[i] as number)
      const series = found.get(text) ?? emptySeries(withLabel(labels, label, text), count)
      found.set(text, series)
      put(series, i, (series.values[i] as number) + 1)
      if (found.size > mostValues) {
        throw execution(phrase('count_values 有超过 {most, number} 个不同的值', { most: mostValues }))
      }
    }
  }
  return [...found.values()]
}
const mostValues = 10_000

async function reduceGroup({ labels, members }: Group, op: string, params: Float64Array, pace: Pace): Promise<Series> {
  const reduce = reductions[op]
  const result = emptySeries(labels, params.length)
  for (let i = 0; i < params.length; i++) {
    if (pace.due(members.length * (op === 'quantile' ? 20 : 2))) await pace.rest()
    const values: number[] = []
    for (const { has, values: list } of members) if (has[i]) values.push(list[i] as number)
    if (values.length > 0 && reduce) put(result, i, reduce(values, params[i] as number))
  }
  return result
}

/** The same label may come from two groups: then their numbers add up. */
function addEqual(list: Series[]): Series[] {
  const joined = new Map<string, Series>()
  for (const series of list) {
    const key = keyOf(series.labels)
    const first = joined.get(key)
    if (!first) joined.set(key, series)
    else
      for (let i = 0; i < series.has.length; i++) {
        if (series.has[i]) put(first, i, (first.values[i] as number) + (series.values[i] as number))
      }
  }
  return [...joined.values()]
}

/** @param param one for each step, or the label of count_values */
export async function aggregate(
  aggregation: Aggregation,
  list: Series[],
  param: Float64Array | string,
  { count, pace }: { count: number; pace: Pace },
): Promise<Series[]> {
  const { op } = aggregation
  const params = typeof param === 'string' ? new Float64Array(count) : param
  const results: Series[] = []
  for (const group of groupsOf(aggregation, list)) {
    if (typeof param === 'string') results.push(...(await countValues(group, param, count, pace)))
    else if (op === 'topk' || op === 'bottomk') results.push(...(await chooseFirst(group, op, params, pace)))
    else results.push(await reduceGroup(group, op, params, pace))
  }
  return typeof param === 'string' ? addEqual(results) : joinEqual(results)
}
