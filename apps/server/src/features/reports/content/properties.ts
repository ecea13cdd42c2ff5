/** Values of chosen properties by hour or day: one row for each device, property and time. */

import { dayMs, hourMs } from '@ithings/contract/durations.ts'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { argFuncLabels } from '@ithings/contract/features/history.ts'
import { type ReportFunc, ReportInterval, type ReportPlan, reportLimits } from '@ithings/contract/features/reports.ts'
import { phrase, type Translate } from '@ithings/contract/text.ts'
import type { Property } from '@ithings/contract/thing-model/model.ts'
import { valueText } from '@ithings/contract/thing-model/values.ts'
import { shapeOfProperty } from '#features/history/door.ts'
import type { Cell } from '#features/jobs/door.ts'
import type { ProductCache } from '#features/products/door.ts'
import { type Bucket, type History, type SeriesKey, TooMuchHistory } from '#ports/history.ts'
import { type Period, zoneOf } from '../periods.ts'
import { tooManyRows } from './alarms.ts'
import type { ReportDevice } from './find-devices.ts'
import type { ReportChart, ReportSection } from './report-data.ts'

type Wanted = Pick<ReportPlan, 'productID' | 'dataIDs' | 'funcs' | 'interval' | 'timeZone'>

/** Curves of one question to the history. */
const seriesAtOnce = 200
/** What can be said of a text, a structure or a list. */
const ofAnything: ReadonlySet<string> = new Set(['first', 'last', 'count'])

const isNumeric = (property: Property): boolean => ['number', 'boolean'].includes(shapeOfProperty(property))
const funcsOf = (property: Property, funcs: readonly ReportFunc[]): ReportFunc[] =>
  isNumeric(property) ? [...funcs] : funcs.filter((one) => ofAnything.has(one))

/** Throws with the property that is gone, keeps no history or cannot be told of so. */
export async function wantedProperties(products: ProductCache, { productID, dataIDs, funcs }: Wanted) {
  const product = await products.get(productID)
  if (!product) throw refusal(errors.notFound, '产品 {productID} 不存在', { productID }, { field: 'productID' })
  return dataIDs.map((identifier) => {
    const property = product.properties.get(identifier)?.property
    const refused = (detail: ReturnType<typeof phrase>) => new AppError(errors.parameter, { detail, field: 'dataIDs' })
    if (!property) throw refused(phrase('查不到物模型:{identifier}', { identifier }))
    if (property.isNoRecord) throw refused(phrase('属性 {identifier} 不保存历史，不能统计', { identifier }))
    if (funcsOf(property, funcs).length === 0) {
      throw refused(phrase('属性 {identifier} 不是数值，只能统计首个值、末个值和条数', { identifier }))
    }
    return property
  })
}

const unitOf = ({ define }: Property): string => ('unit' in define && define.unit ? String(define.unit) : '')
const nameOf = (property: Property): string => {
  const unit = unitOf(property)
  return unit ? `${property.name} (${unit})` : property.name
}

/** Six digits that count are enough for people; a spreadsheet takes it as a number. */
const cellOf = (value: unknown): Cell => {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return Number(value.toPrecision(10))
  return typeof value === 'string' ? value : valueText(value)
}

async function readBuckets(history: History, asked: Parameters<History['buckets']>[0]): Promise<Bucket[]> {
  try {
    return await history.buckets(asked)
  } catch (cause) {
    if (!(cause instanceof TooMuchHistory)) throw cause
    throw new AppError(errors.outOfRange, {
      msg: phrase('查询的数据过多，请缩短时间范围、减少设备或属性，或加大聚合间隔'),
      cause,
    })
  }
}

/** The mean of all devices at each time, of the first function that is a number. */
class Means {
  private readonly sums = new Map<number, { sum: number; count: number }>()
  add(time: number, value: unknown): void {
    if (typeof value !== 'number') return
    const one = this.sums.get(time) ?? { sum: 0, count: 0 }
    this.sums.set(time, { sum: one.sum + value, count: one.count + 1 })
  }
  points(): ReportChart['points'] {
    return [...this.sums].sort(([a], [b]) => a - b).map(([time, { sum, count }]) => ({ time, value: sum / count }))
  }
}

interface Words {
  t: Translate
  timeText(time: number): string
}

export async function propertiesSection(
  { history, products }: { history: History; products: ProductCache },
  plan: Wanted,
  devices: readonly ReportDevice[],
  { from, to }: Period,
  { t, timeText }: Words,
): Promise<ReportSection> {
  const properties = await wantedProperties(products, plan)
  const interval = plan.interval === ReportInterval.hour ? hourMs : dayMs
  const rows: Cell[][] = []
  const charts: ReportChart[] = []
  const own = devices.filter((one) => one.productID === plan.productID)
  for (const property of properties) {
    const argFuncs = funcsOf(property, plan.funcs)
    const charted = isNumeric(property) ? argFuncs.findIndex((one) => one !== 'count') : -1
    const means = new Means()
    for (let at = 0; at < own.length; at += seriesAtOnce) {
      const some = own.slice(at, at + seriesAtOnce)
      const shape = shapeOfProperty(property)
      const series: SeriesKey[] = some.map(({ deviceID }) => ({ deviceID, property: property.identifier, shape }))
      const asked = {
        series,
        from,
        to,
        fillTo: to,
        interval,
        timeZone: zoneOf(plan),
        argFuncs,
        fill: { mode: 'none' as const },
      }
      const buckets = await readBuckets(history, asked)
      // The history is old to new; people read one device after the other.
      for (const { series: index, time, values } of buckets.toSorted((a, b) => a.series - b.series)) {
        const cells = plan.funcs.map((func) => cellOf(values[argFuncs.indexOf(func)]))
        rows.push([some[index]?.label ?? '', nameOf(property), timeText(time), ...cells])
        if (charted >= 0) means.add(time, values[charted])
      }
      if (rows.length > reportLimits.rows) throw tooManyRows()
    }
    const func = argFuncs[charted]
    const points = means.points()
    if (func && points.length > 1) charts.push({ title: `${nameOf(property)} · ${t(argFuncLabels[func])}`, points })
  }
  return {
    tables: [
      {
        title: t('属性统计'),
        columns: [
          { head: t('设备'), type: 'text' },
          { head: t('属性'), type: 'text' },
          { head: t('时间'), type: 'text' },
          ...plan.funcs.map((func) => ({
            head: t(argFuncLabels[func]),
            type: (func === 'count' ? 'integer' : properties.every(isNumeric) ? 'number' : 'text') as
              | 'integer'
              | 'number'
              | 'text',
          })),
        ],
        rows,
      },
    ],
    facts: [],
    charts,
  }
}
