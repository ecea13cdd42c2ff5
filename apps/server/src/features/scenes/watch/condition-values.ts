/** The values that conditions ask for: of the device that started the scene as they were then, of others as they are. */
import type { DeviceCache } from '#features/devices/door.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { LatestValue, LatestValues } from '#ports/latest-values.ts'
import type { ConditionSource } from '../engine/engine-types.ts'

export interface ValueDeps {
  devices: DeviceCache
  latest: LatestValues
  alone: boolean
}

/** Who asks: the device, and what it said just now. */
export interface Starter {
  device: DeviceRef
  values: Record<string, unknown> | undefined
}

export type Seen = Map<string, unknown>

/** Conditions that ask for the same have different objects. */
export const sourceKey = ({ productID, deviceName, property }: ConditionSource): string =>
  `${productID}/${deviceName}/${property}`

const isOwn = ({ productID, deviceName }: ConditionSource, { device }: Starter): boolean =>
  productID === device.productID && (deviceName === '' || deviceName === device.deviceName)

const said = ({ values }: Starter, property: string): boolean => values !== undefined && Object.hasOwn(values, property)

/** undefined: the database has to be asked. */
function peekOne(source: ConditionSource, starter: Starter, deps: ValueDeps): { value: unknown } | undefined {
  const { productID, deviceName, property } = source
  if (isOwn(source, starter)) {
    if (said(starter, property)) return { value: starter.values?.[property] }
    const known = deps.latest.peek(starter.device.deviceID)
    return known && { value: known.get(property)?.value }
  }
  if (deviceName === '') return { value: undefined }
  // Others may report to another server: memory alone says nothing about them.
  if (!deps.alone) return undefined
  const device = deps.devices.get(productID, deviceName)
  if (device instanceof Promise) return undefined
  if (!device) return { value: undefined }
  const known = deps.latest.peek(device.deviceID)
  return known && { value: known.get(property)?.value }
}

/** At once, as far as memory knows; `missing` is for `readValues`. */
export function peekValues(needs: readonly ConditionSource[], starter: Starter, deps: ValueDeps) {
  const seen: Seen = new Map()
  const missing: ConditionSource[] = []
  for (const source of needs) {
    const found = peekOne(source, starter, deps)
    if (found) seen.set(sourceKey(source), found.value)
    else missing.push(source)
  }
  return { seen, missing }
}

export async function readValues(missing: ConditionSource[], seen: Seen, starter: Starter, deps: ValueDeps) {
  const reads = new Map<number, Promise<Record<string, LatestValue>>>()
  for (const source of missing) {
    const device = isOwn(source, starter) ? starter.device : await deps.devices.get(source.productID, source.deviceName)
    if (!device) continue
    const reading = reads.get(device.deviceID) ?? deps.latest.read(device.deviceID)
    reads.set(device.deviceID, reading)
    seen.set(sourceKey(source), (await reading)[source.property]?.value)
  }
}
