/** What a backtest has to look at: devices, their series, and which trigger watches which device. */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { backtestLimits } from '@ithings/contract/features/scenes/trial.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import type { DataType } from '@ithings/contract/thing-model/define.ts'
import type { Property } from '@ithings/contract/thing-model/model.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { type DeviceRefRow, findByKeys, groupWithChildren, toDeviceRef } from '#features/devices/door.ts'
import type { CachedProduct } from '#features/products/door.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { SeriesKey, ValueShape } from '#ports/history.ts'
import type { CompiledScene, CompiledTrigger } from '../engine/engine-types.ts'

/** Curves that one backtest may follow: devices times properties. */
const mostSeries = 100_000

export interface PlannedDevice {
  ref: DeviceRef
  /** Property -> index in `series`. */
  series: Map<string, number>
  /** Of each scene: triggers that watch it. */
  triggers: CompiledTrigger[][]
}

export interface BacktestPlan {
  scenes: CompiledScene[]
  devices: PlannedDevice[]
  /** Those of one device lie together, so that what it said at once is found together. */
  series: SeriesKey[]
  /** Index in `devices`, for each of `series`. */
  owners: Int32Array
  /** Properties whose values are not kept. */
  unrecorded: Set<string>
}

const shapes: Record<DataType, ValueShape> = {
  bool: 'boolean',
  int: 'number',
  float: 'number',
  enum: 'number',
  timestamp: 'number',
  string: 'string',
  struct: 'object',
  array: 'array',
}

/** Devices of one trigger; one more than the limit tells that there are too many. */
async function selectDevices(db: Db, { productID, selector, names, groupID }: CompiledTrigger): Promise<DeviceRef[]> {
  const limit = backtestLimits.devices + 1
  if (selector === 'fixed') {
    const { found } = await findByKeys(
      db,
      [...names].map((deviceName) => ({ productID, deviceName })),
    )
    return found.map(({ deviceID, deviceName }) => ({ productID, deviceName, deviceID }))
  }
  const inGroup =
    selector === 'group'
      ? sql`and device_id in (select device_id from group_device
          where group_id = any(${await groupWithChildren(db, groupID)}::bigint[]))`
      : sql``
  const { rows } = await sql<DeviceRefRow>`
    select device_id, product_id, device_name from device where product_id = ${productID} ${inGroup}
    order by device_id limit ${limit}`.execute(db)
  return rows.map(toDeviceRef)
}

const tooMany = (detail: Phrase) => new AppError(errors.outOfRange, { detail })

/** Properties that the trigger must see of a device. */
function watchedProperties(trigger: CompiledTrigger, product: CachedProduct): string[] {
  if (trigger.operator === 'reportProperty') return [trigger.dataID]
  if (trigger.operator !== 'noReport') return []
  return trigger.dataID === '' ? [...product.properties.keys()] : [trigger.dataID]
}

export async function planBacktest(
  db: Db,
  scenes: CompiledScene[],
  products: ReadonlyMap<string, CachedProduct>,
): Promise<BacktestPlan> {
  const wanted = new Map<number, { ref: DeviceRef; properties: Set<string>; triggers: CompiledTrigger[][] }>()
  const unrecorded = new Set<string>()
  const want = (ref: DeviceRef) => {
    const known = wanted.get(ref.deviceID) ?? { ref, properties: new Set(), triggers: scenes.map(() => []) }
    wanted.set(ref.deviceID, known)
    if (wanted.size > backtestLimits.devices)
      throw tooMany(phrase('一次回测最多 {most} 台设备，请缩小触发的范围', { most: backtestLimits.devices }))
    return known
  }
  for (const [index, scene] of scenes.entries()) {
    for (const trigger of scene.triggers) {
      const product = products.get(trigger.productID)
      if (!product) continue
      const properties = watchedProperties(trigger, product)
      for (const ref of await selectDevices(db, trigger)) {
        const device = want(ref)
        device.triggers[index]?.push(trigger)
        for (const property of properties) device.properties.add(property)
      }
    }
  }
  const watched = [...wanted.values()]
  for (const { needs } of scenes) {
    const named = needs.filter(({ deviceName }) => deviceName !== '')
    const { found } = await findByKeys(db, named)
    const ids = new Map(found.map((one) => [`${one.productID}/${one.deviceName}`, one]))
    for (const { productID, deviceName, property } of needs) {
      if (deviceName === '') {
        for (const one of watched) if (one.ref.productID === productID) one.properties.add(property)
        continue
      }
      const device = ids.get(`${productID}/${deviceName}`)
      if (device) want({ productID, deviceName, deviceID: device.deviceID }).properties.add(property)
    }
  }
  return layOut(scenes, [...wanted.values()], products, unrecorded)
}

function layOut(
  scenes: CompiledScene[],
  wanted: Array<{ ref: DeviceRef; properties: Set<string>; triggers: CompiledTrigger[][] }>,
  products: ReadonlyMap<string, CachedProduct>,
  unrecorded: Set<string>,
): BacktestPlan {
  const series: SeriesKey[] = []
  const owners: number[] = []
  const isKept = (property: Property | undefined): property is Property => {
    if (property?.isNoRecord) unrecorded.add(property.name)
    return property !== undefined && !property.isNoRecord
  }
  const devices = wanted.map(({ ref, properties, triggers }, owner): PlannedDevice => {
    const own = new Map<string, number>()
    const product = products.get(ref.productID)
    for (const identifier of properties) {
      // thing-model.md 1: some keep no history.
      const property = product?.properties.get(identifier)?.property
      if (!isKept(property)) continue
      own.set(identifier, series.length)
      owners.push(owner)
      series.push({ deviceID: ref.deviceID, property: identifier, shape: shapes[property.define.type] })
    }
    return { ref, series: own, triggers }
  })
  if (series.length > mostSeries)
    throw tooMany(
      phrase('一次回测最多 {most} 条曲线（设备数×属性数），当前 {count} 条，请缩小触发的范围', {
        most: mostSeries,
        count: series.length,
      }),
    )
  return { scenes, devices, series, owners: Int32Array.from(owners), unrecorded }
}
