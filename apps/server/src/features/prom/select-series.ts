/** From the matchers of a selector to the series that they mean. */
import { phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import type { SeriesKey } from '#ports/history.ts'
import { type LabelledDevice, scanDevices } from './device-labels.ts'
import { findMetrics, type Metric, metricLabels, type Scope } from './metrics.ts'
import { execution } from './prom-error.ts'
import { type Labels, makeLabels, metricName, sortByLabels } from './promql/labels.ts'
import type { Matcher } from './promql/matcher.ts'
import type { Pace } from './promql/pace.ts'

export interface FoundSeries {
  labels: Labels
  key: SeriesKey
  member: string | undefined
}

/** A dashboard that draws more shows nothing. */
const mostSeries = 5_000
/** Devices that are looked at one by one. */
const mostDevices = 100_000
/** To put the labels of a series together is as much work as to look at so many values. */
const costOfSeries = 50

const seriesOf = (metric: Metric, { deviceID, labels }: LabelledDevice): FoundSeries => ({
  labels: makeLabels([
    [metricName, metric.name],
    ['product', metric.productID],
    ['product_name', metric.productName],
    ...labels,
  ]),
  key: { deviceID, property: metric.property, shape: metric.shape },
  member: metric.member,
})

interface Where {
  db: Db
  scope: Scope
  pace: Pace
  /** Of each device one series is enough: all of them have the same labels but the name. */
  oneEach?: boolean
}

/** @param visit false: enough */
async function visitSeries(
  { db, scope, pace, oneEach = false }: Where,
  matchers: Matcher[],
  visit: (series: FoundSeries) => boolean,
): Promise<'all' | 'stopped' | 'too many devices'> {
  const metrics = Map.groupBy(await findMetrics(db, matchers, scope), ({ productID }) => productID)
  if (metrics.size === 0) return 'all'
  const ofDevice = matchers.filter(({ label }) => !metricLabels.has(label))
  let looked = 0
  for await (const devices of scanDevices(db, [...metrics.keys()], ofDevice, scope)) {
    looked += devices.length
    if (looked > mostDevices) return 'too many devices'
    await pace.rest()
    for (const device of devices) {
      if (!ofDevice.every(({ label, matches }) => matches(device.labels.get(label) ?? ''))) continue
      const ofProduct = metrics.get(device.productID) ?? []
      const wanted = oneEach ? ofProduct.slice(0, 1) : ofProduct
      if (pace.due(wanted.length * costOfSeries)) await pace.rest()
      for (const metric of wanted) {
        if (!visit(seriesOf(metric, device))) return 'stopped'
      }
    }
  }
  return 'all'
}

export async function selectSeries(where: Where, matchers: Matcher[]): Promise<FoundSeries[]> {
  const found: FoundSeries[] = []
  const end = await visitSeries(where, matchers, (series) => found.push(series) <= mostSeries)
  if (end !== 'all') {
    throw execution(
      end === 'stopped'
        ? phrase('选择器选中的序列超过 {most, number} 条，请加上 product、device、group 等条件', { most: mostSeries })
        : phrase('选择器要查看的设备超过 {most, number} 台，请写明 product、device 或标签', { most: mostDevices }),
    )
  }
  return sortByLabels(found, ({ labels }) => labels)
}

/** For lists of series and labels: as many as there is room for, and whether that is all. */
export async function listSeries(where: Where, selectors: Matcher[][], visit: (labels: Labels) => boolean) {
  let whole = true
  for (const matchers of selectors) {
    const end = await visitSeries(where, matchers, ({ labels }) => visit(labels))
    whole &&= end === 'all'
  }
  return whole
}
