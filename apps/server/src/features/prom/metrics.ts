/** Which metrics there are: every property of a product that is a number, and such members of structs. */
import { phrase } from '@ithings/contract/text.ts'
import { FunctionType, type Property } from '@ithings/contract/thing-model/model.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { shapeOfProperty } from '#features/history/door.ts'
import type { ValueShape } from '#ports/history.ts'
import { execution } from './prom-error.ts'
import { metricName } from './promql/labels.ts'
import type { Matcher } from './promql/matcher.ts'

export interface Metric {
  name: string
  productID: string
  productName: string
  property: string
  shape: ValueShape
  /** Of a struct; undefined: the property itself. */
  member: string | undefined
  /** For people. */
  title: string
  unit: string
}

/** What the caller's key leaves of the platform. */
export interface Scope {
  productID?: string
  /** The group and all below it. */
  groups?: number[]
}

const numbers = new Set(['bool', 'int', 'float', 'enum', 'timestamp'])
const mostProperties = 20_000

interface Row {
  product_id: string
  product_name: string
  definition: Property
}

function metricsOf({ product_id: productID, product_name: productName, definition }: Row): Metric[] {
  const { identifier, name, define, isNoRecord } = definition
  // thing-model.md 1: keeps no history.
  if (isNoRecord) return []
  const base = { productID, productName, property: identifier, shape: shapeOfProperty(definition) }
  if (numbers.has(define.type)) {
    return [{ ...base, name: identifier, member: undefined, title: name, unit: define.unit ?? '' }]
  }
  return (define.type === 'struct' ? (define.specs ?? []) : [])
    .filter(({ dataType }) => numbers.has(dataType.type))
    .map((spec) => ({
      ...base,
      name: `${identifier}_${spec.identifier}`,
      member: spec.identifier,
      title: `${name} ${spec.name}`,
      unit: spec.dataType.unit ?? '',
    }))
}

/** `place_row` is the property of that name, or the member `row` of `place`. */
const identifiersOf = (name: string): string[] =>
  [...name].flatMap((letter, i) => (letter === '_' && i > 0 ? [name.slice(0, i)] : [])).concat(name)

const valuesFor = (matchers: Matcher[], label: string): string[] | undefined => {
  const lists = matchers.filter((one) => one.label === label && one.values).map((one) => one.values)
  const first = lists[0]
  return first && [...first]
}

/** A property and a member may come to the same name: then it is the property. */
function withoutDoubles(metrics: Metric[]): Metric[] {
  const found = new Map<string, Metric>()
  for (const metric of metrics) {
    const key = JSON.stringify([metric.productID, metric.name])
    if (!found.has(key) || metric.member === undefined) found.set(key, metric)
  }
  return [...found.values()]
}

/** Labels that come from the model alone. */
export const metricLabels: ReadonlyMap<string, (metric: Metric) => string> = new Map([
  [metricName, ({ name }) => name],
  ['product', ({ productID }) => productID],
  ['product_name', ({ productName }) => productName],
])

export async function findMetrics(db: Db, matchers: Matcher[], scope: Scope): Promise<Metric[]> {
  const names = valuesFor(matchers, metricName)?.flatMap(identifiersOf)
  const products = valuesFor(matchers, 'product')
  const { rows } = await sql<Row>`
    select product_id, product_name, definition from product_function join product using (product_id)
    where type = ${FunctionType.property}
      and (${names ?? null}::text[] is null or identifier = any(${names ?? null}::text[]))
      and (${products ?? null}::text[] is null or product_id = any(${products ?? null}::text[]))
      and (${scope.productID ?? null}::text is null or product_id = ${scope.productID ?? null}::text)
      and (${scope.groups ?? null}::bigint[] is null or product_id in (
        select product_id from device join group_device using (device_id)
        where group_device.group_id = any(${scope.groups ?? null}::bigint[])))
    order by product_id, position limit ${mostProperties + 1}`.execute(db)
  if (rows.length > mostProperties) {
    throw execution(phrase('属性超过 {most, number} 个，请写明指标名或 product', { most: mostProperties }))
  }
  const asked = matchers.filter(({ label }) => metricLabels.has(label))
  return withoutDoubles(rows.flatMap(metricsOf)).filter((metric) =>
    asked.every(({ label, matches }) => matches(metricLabels.get(label)?.(metric) ?? '')),
  )
}
