/** Labels of a series. A label that is absent and one that is empty are the same. */
export type Labels = ReadonlyMap<string, string>

export const metricName = '__name__'

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : Number(a > b))

/** In the order of names, without empty ones. */
export const makeLabels = (pairs: Iterable<[string, string]>): Labels =>
  new Map([...pairs].filter(([, value]) => value !== '').sort(byName))

/** Equal for equal labels only, because all of them come in the order of names. */
export const keyOf = (labels: Labels): string => JSON.stringify([...labels])

const filter = (labels: Labels, keep: (name: string) => boolean): Labels =>
  new Map([...labels].filter(([name]) => keep(name)))

export const withoutName = (labels: Labels): Labels =>
  labels.has(metricName) ? filter(labels, (name) => name !== metricName) : labels

export const only = (labels: Labels, names: ReadonlySet<string>): Labels => filter(labels, (name) => names.has(name))

/** The metric name goes, too. */
export const except = (labels: Labels, names: ReadonlySet<string>): Labels =>
  filter(labels, (name) => name !== metricName && !names.has(name))

export const withLabel = (labels: Labels, name: string, value: string): Labels =>
  makeLabels(new Map(labels).set(name, value))

/** As Prometheus orders the series of an answer. */
export function sortByLabels<T>(list: T[], labelsOf: (one: T) => Labels): T[] {
  const keyed = list.map((one) => ({ one, key: keyOf(labelsOf(one)) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))).map(({ one }) => one)
}
