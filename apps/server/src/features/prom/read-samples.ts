/** Fetches what the selectors of a query need from the history, in the bounded pieces in which it is given out. */
import { aheadMs } from '@ithings/contract/durations.ts'
import type { SeriesKey } from '#ports/history.ts'
import type { Scope } from './metrics.ts'
import type { PromDeps } from './prom-deps.ts'
import type { Selector } from './promql/ast.ts'
import { Collector } from './promql/collector.ts'
import type { Need } from './promql/needs.ts'
import type { Pace } from './promql/pace.ts'
import type { Samples } from './promql/values.ts'
import { type FoundSeries, selectSeries } from './select-series.ts'

interface Target {
  member: string | undefined
  collector: Collector
}

const numberOf = (value: unknown, member: string | undefined): number | undefined => {
  const one = member === undefined ? value : (value as Record<string, unknown> | null)?.[member]
  return typeof one === 'number' ? one : typeof one === 'boolean' ? Number(one) : undefined
}

async function readOne(
  { history, clock }: PromDeps,
  series: FoundSeries[],
  { start, end, moments }: Need,
  pace: Pace,
): Promise<Samples[]> {
  const targets = series.map(({ member }): Target => ({ member, collector: new Collector(moments) }))
  // Members of one struct are read together.
  const keys: SeriesKey[] = []
  const places = new Map<string, number>()
  const byKey: Target[][] = []
  for (const [i, { key }] of series.entries()) {
    const name = `${key.deviceID} ${key.property}`
    const place = places.get(name) ?? keys.push(key) - 1
    places.set(name, place)
    byKey[place] = [...(byKey[place] ?? []), targets[i] as Target]
  }
  const [from, to] = [Math.max(0, Math.floor(start)), Math.min(Math.floor(end), clock.now() + aheadMs) + 1]
  if (keys.length > 0 && to > from) {
    const replay = await history.replay({ series: keys, from, to })
    for await (const chunk of replay.chunks()) {
      let kept = 0
      for (let i = 0; i < chunk.count; i++) {
        const value = chunk.value(i)
        for (const target of byKey[chunk.series[i] as number] ?? []) {
          const number = numberOf(value, target.member)
          if (number === undefined) continue
          const before = target.collector.size
          target.collector.add(chunk.times[i] as number, number)
          kept += target.collector.size - before
        }
      }
      pace.countSamples(chunk.count, kept)
      pace.check()
      if (pace.due(chunk.count * 4)) await pace.rest()
    }
  }
  return targets.map(({ collector }, i) => collector.samples((series[i] as FoundSeries).labels))
}

export async function readSamples(
  deps: PromDeps,
  needs: Need[],
  { scope, pace }: { scope: Scope; pace: Pace },
): Promise<Map<Selector, Samples[]>> {
  const found = new Map<string, FoundSeries[]>()
  const samples = new Map<Selector, Samples[]>()
  for (const need of needs) {
    const key = JSON.stringify(need.selector.matchers.map(({ label, op, value }) => [label, op, value]))
    const series = found.get(key) ?? (await selectSeries({ db: deps.db, scope, pace }, need.selector.matchers))
    found.set(key, series)
    samples.set(need.selector, await readOne(deps, series, need, pace))
  }
  return samples
}
