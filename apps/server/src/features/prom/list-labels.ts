/** labels, label values, series and metadata: what can be asked for. Listed by models and devices, not by stored values. */
import { phrase } from '@ithings/contract/text.ts'
import { findMetrics, metricLabels } from './metrics.ts'
import { limitOf } from './params.ts'
import type { PromDeps } from './prom-deps.ts'
import { badData } from './prom-error.ts'
import { type Labels, metricName, sortByLabels } from './promql/labels.ts'
import { type Matcher, makeMatcher } from './promql/matcher.ts'
import { parseSelector } from './promql/parse.ts'
import { type Asker, makePace } from './run-query.ts'
import { listSeries } from './select-series.ts'

interface Listed<T> {
  list: T
  warnings: string[]
}

/** More are cut off, and the answer says so. */
const mostListed = 10_000
const truncated = (whole: boolean): string[] => (whole ? [] : ['results truncated due to limit'])
const everything: Matcher[] = [makeMatcher(metricName, '!=', '')]

function selectorsOf({ params }: Asker): Matcher[][] {
  const asked = params.getAll('match[]').map(parseSelector)
  return asked.length > 0 ? asked : [everything]
}

const whereOf = ({ db }: PromDeps, { params, scope, gone }: Asker) => ({ db, scope, pace: makePace(params, gone) })

async function gather(
  deps: PromDeps,
  asker: Asker,
  textsOf: (labels: Labels) => Iterable<string>,
  oneEach: boolean,
): Promise<Listed<string[]>> {
  const most = Math.min(limitOf(asker.params), mostListed)
  const found = new Set<string>()
  const whole = await listSeries({ ...whereOf(deps, asker), oneEach }, selectorsOf(asker), (labels) => {
    for (const text of textsOf(labels)) found.add(text)
    return found.size <= most
  })
  const list = [...found].sort().slice(0, most)
  return { list, warnings: truncated(whole) }
}

export const listLabels = (deps: PromDeps, asker: Asker): Promise<Listed<string[]>> =>
  gather(deps, asker, (labels) => labels.keys(), true)

/** `U__` and hexadecimal between underscores, as Prometheus spells names in addresses that are no plain ones. */
export const readLabelName = (text: string): string =>
  text.startsWith('U__')
    ? text.slice(3).replaceAll(/__|_([0-9a-fA-F]{1,6})_/g, (whole, hex?: string) => {
        const point = Number.parseInt(hex ?? '', 16)
        return hex === undefined ? '_' : point <= 0x10ffff ? String.fromCodePoint(point) : whole
      })
    : text

/** What models alone can tell is told without looking at devices, so that a large fleet is no obstacle. */
async function listModelValues(deps: PromDeps, asker: Asker, label: string): Promise<Listed<string[]>> {
  const found = new Set<string>()
  for (const matchers of selectorsOf(asker)) {
    for (const metric of await findMetrics(deps.db, matchers, asker.scope))
      found.add(metricLabels.get(label)?.(metric) ?? '')
  }
  const list = [...found].sort()
  const most = Math.min(limitOf(asker.params), mostListed)
  return { list: list.slice(0, most), warnings: truncated(list.length <= most) }
}

export async function listLabelValues(deps: PromDeps, asker: Asker, name: string): Promise<Listed<string[]>> {
  const label = readLabelName(name)
  const onlyModels = selectorsOf(asker).every((matchers) => matchers.every((one) => metricLabels.has(one.label)))
  if (metricLabels.has(label) && onlyModels) return listModelValues(deps, asker, label)
  const textsOf = (labels: Labels): string[] => {
    const value = labels.get(label)
    return value === undefined ? [] : [value]
  }
  return gather(deps, asker, textsOf, label !== metricName)
}

export async function listAllSeries(deps: PromDeps, asker: Asker): Promise<Listed<Labels[]>> {
  if (!asker.params.has('match[]')) throw badData(phrase('缺少参数 {identifier}', { identifier: 'match[]' }))
  const most = Math.min(limitOf(asker.params), mostListed)
  const found = new Map<string, Labels>()
  const whole = await listSeries(whereOf(deps, asker), selectorsOf(asker), (labels) => {
    found.set(JSON.stringify([...labels]), labels)
    return found.size <= most
  })
  return { list: sortByLabels([...found.values()].slice(0, most), (labels) => labels), warnings: truncated(whole) }
}

/** The words of the thing model; the same name in several products may have several. */
export async function listMetadata(deps: PromDeps, asker: Asker) {
  const asked = asker.params.get('metric')
  const metrics = await findMetrics(deps.db, asked ? [makeMatcher(metricName, '=', asked)] : [], asker.scope)
  const found = new Map<string, Map<string, { type: 'gauge'; help: string; unit: string }>>()
  for (const { name, title, unit } of metrics) {
    const known = found.get(name) ?? new Map()
    found.set(name, known)
    known.set(`${title}\n${unit}`, { type: 'gauge', help: title, unit })
  }
  const most = Math.min(limitOf(asker.params), mostListed)
  return Object.fromEntries([...found].slice(0, most).map(([name, words]) => [name, [...words.values()]]))
}
