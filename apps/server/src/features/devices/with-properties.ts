/** http-api.md 4.2: absent, no map; `[]`, all; a list, those. A device that reported nothing has an empty map. */
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { valueText } from '@ithings/contract/thing-model/values.ts'
import { toStr } from '@ithings/contract/wire.ts'
import type { LatestValue, LatestValues } from '#ports/latest-values.ts'

export type LatestLookUp = Pick<LatestValues, 'readMany'>
type Properties = Pick<Device, 'withProperties'>

function propertiesOf(values: Record<string, LatestValue>, asked: string[]): Properties {
  const wanted = new Set(asked)
  const shown = Object.entries(values).filter(([id]) => wanted.size === 0 || wanted.has(id))
  return {
    withProperties: Object.fromEntries(
      shown.map(([id, { value, time }]) => [id, { value: valueText(value), timestamp: toStr(time) }]),
    ),
  }
}

/** Of many devices in one go. */
export async function readProperties(
  latest: LatestLookUp,
  deviceIDs: number[],
  asked: string[] | undefined,
): Promise<(deviceID: number) => Properties> {
  if (asked === undefined) return () => ({})
  const values = await latest.readMany(deviceIDs)
  return (deviceID) => propertiesOf(values.get(deviceID) ?? {}, asked)
}
