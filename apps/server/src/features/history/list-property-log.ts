/** http-api.md 4.4 property-log: values as they were said, or in buckets; several devices and properties in one call. */

import { aheadMs } from '@ithings/contract/durations.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, badField, errors, refusal } from '@ithings/contract/errors.ts'
import type { ArgFunc, listPropertyLog as endpoint } from '@ithings/contract/features/history.ts'
import { historyWindow } from '@ithings/contract/paging.ts'
import { phrase } from '@ithings/contract/text.ts'
import { valueText } from '@ithings/contract/thing-model/values.ts'
import { toStr } from '@ithings/contract/wire.ts'
import { isZone, localZone } from '@ithings/contract/zone-days.ts'
import type { CachedProduct } from '#features/products/door.ts'
import { type Fill, type SeriesKey, TooMuchHistory } from '#ports/history.ts'
import { findDevices, findProductModel, type NamedDevice, shapeOfProperty } from './find-devices.ts'
import type { HistoryDeps } from './history-deps.ts'

type Input = BodyOutput<typeof endpoint>

const maxSeries = 500

interface NamedSeries extends SeriesKey {
  deviceName: string
}

function wantedProperties({ dataID, dataIDs }: Input): string[] {
  const wanted = [...new Set([...(dataID === undefined ? [] : [dataID]), ...(dataIDs ?? [])])]
  if (wanted.length === 0) throw badField('dataID', '需要 dataID 或 dataIDs')
  return wanted
}

function seriesOf(product: CachedProduct, devices: NamedDevice[], wanted: string[]): NamedSeries[] {
  const properties = wanted.map((identifier) => {
    const property = product.properties.get(identifier)?.property
    if (!property) throw badField('dataID', '查不到物模型:{identifier}', { identifier })
    return property
  })
  const series = devices.flatMap(({ deviceID, deviceName }) =>
    properties
      // thing-model.md 1: keeps no history.
      .filter((property) => !property.isNoRecord)
      .map((property) => ({ deviceID, deviceName, property: property.identifier, shape: shapeOfProperty(property) })),
  )
  if (series.length > maxSeries) {
    throw refusal(errors.outOfRange, '一次最多查询 {most} 条曲线（设备数×属性数），当前 {count} 条', {
      most: maxSeries,
      count: series.length,
    })
  }
  return series
}

const needsNumbers = new Set<ArgFunc>(['avg', 'min', 'max', 'sum', 'twa'])

function functionsOf({ argFunc, argFuncs, interval = 0 }: Input, series: NamedSeries[]): ArgFunc[] {
  const functions = [...new Set([...(argFunc === undefined ? [] : [argFunc]), ...(argFuncs ?? [])])]
  if (interval > 0 && functions.length === 0) throw badField('argFunc', 'interval 不为 0 时需要 argFunc')
  const numeric = functions.find((one) => needsNumbers.has(one))
  const other = series.find(({ shape }) => shape !== 'number' && shape !== 'boolean')
  if (numeric && other) {
    throw badField('argFunc', '属性 {property} 不是数值，不能用 {argFunc}，可用 first、last、count', {
      property: other.property,
      argFunc: numeric,
    })
  }
  return functions
}

function fillOf(text: string | undefined): Fill {
  if (text === undefined || text === 'NONE') return { mode: 'none' }
  if (text.startsWith('VALUE')) return { mode: 'value', value: Number(text.slice(text.indexOf(',') + 1)) }
  return { mode: text.toLowerCase() as 'null' | 'prev' | 'next' | 'linear' }
}

function zoneOf(timeZone = ''): string {
  if (timeZone === '') return localZone()
  if (isZone(timeZone)) return timeZone
  throw badField('timeZone', '没有时区 {timeZone}', { timeZone })
}

const text = (value: unknown): string => (value === null || value === undefined ? '' : valueText(value))

async function listBuckets(deps: HistoryDeps, input: Input, series: NamedSeries[], argFuncs: ArgFunc[]) {
  const now = deps.clock.now()
  const { timeStart: from = 0, timeEnd, interval = 0 } = input
  const buckets = await deps.history.buckets({
    series,
    from,
    // Without an end, what lies ahead of now counts, but nothing is filled in there.
    to: timeEnd || now + aheadMs,
    fillTo: timeEnd || now,
    interval,
    timeZone: zoneOf(input.timeZone),
    argFuncs,
    fill: fillOf(input.fill),
  })
  const list = buckets.flatMap(({ series: index, time, values }) => {
    const key = series[index]
    if (!key) return []
    const texts = values.map(text)
    const row = { deviceName: key.deviceName, dataID: key.property, value: texts[0] ?? '', timestamp: toStr(time) }
    return input.argFuncs === undefined
      ? [row]
      : [{ ...row, values: Object.fromEntries(argFuncs.map((name, i) => [name, texts[i] ?? ''])) }]
  })
  // The public platform answers 0: an aggregated query is never paged.
  return { list: input.order === 1 ? list.reverse() : list, total: 0 }
}

async function listValues(deps: HistoryDeps, input: Input, series: NamedSeries[]) {
  const { timeStart: from = 0, timeEnd, order, page } = input
  const { rows, total } = await deps.history.page(
    { series, from, to: timeEnd || deps.clock.now() + aheadMs, newestFirst: order === 1 },
    (count) => historyWindow(page, count),
  )
  const list = rows.flatMap(({ series: index, time, value }) => {
    const key = series[index]
    return key
      ? [{ deviceName: key.deviceName, dataID: key.property, value: valueText(value), timestamp: toStr(time) }]
      : []
  })
  return { list, total }
}

export async function listPropertyLog(deps: HistoryDeps, input: Input) {
  const product = await findProductModel(deps, input.productID)
  const devices = await findDevices(deps, input.productID, input.deviceNames)
  const series = seriesOf(product, devices, wantedProperties(input))
  const argFuncs = functionsOf(input, series)
  if (series.length === 0 || (input.timeEnd && input.timeEnd <= (input.timeStart ?? 0))) return { list: [], total: 0 }
  try {
    return await (argFuncs.length > 0 ? listBuckets(deps, input, series, argFuncs) : listValues(deps, input, series))
  } catch (error) {
    if (!(error instanceof TooMuchHistory)) throw error
    throw new AppError(errors.outOfRange, {
      detail: phrase('查询的数据过多，请缩短时间范围、减少设备或属性，或加大聚合间隔'),
      cause: error,
    })
  }
}
