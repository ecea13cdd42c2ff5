import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { Device, listDevices as listEndpoint } from '@ithings/contract/features/devices/info.ts'
import { valueText } from '@ithings/contract/thing-model/values.ts'
import { toStr } from '@ithings/contract/wire.ts'
import type { Db } from '#db/schema.ts'
import type { LatestValue } from '#ports/latest-values.ts'
import { devicesByID, toDevice } from './device-rows.ts'
import { resolveScope } from './device-scope.ts'
import type { DevicesDeps } from './devices-deps.ts'
import { pageDevices } from './page-devices.ts'

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

/** http-api.md 4.2: absent, no map; `[]`, all; a list, those. A device that reported nothing has an empty map. */
export async function readProperties(
  latest: DevicesDeps['latest'],
  deviceIDs: number[],
  asked: string[] | undefined,
): Promise<(deviceID: number) => Properties> {
  if (asked === undefined) return () => ({})
  const values = await latest.readMany(deviceIDs)
  return (deviceID) => propertiesOf(values.get(deviceID) ?? {}, asked)
}

type Input = BodyOutput<typeof listEndpoint>

async function listRows(db: Db, { page, ...filter }: Omit<Input, 'withProperties'>) {
  const { ids, total } = await pageDevices(db, await resolveScope(db, filter), page)
  return { rows: await devicesByID(db, ids), total }
}

/** For those who want the devices and not what they said. */
export async function listDevices(db: Db, input: Omit<Input, 'withProperties'>) {
  const { rows, total } = await listRows(db, input)
  const list = rows.map((row) => toDevice(row))
  return { list, total, num: list.length }
}

export async function listDevicesWithValues({ db, latest }: DevicesDeps, { withProperties, ...input }: Input) {
  const { rows, total } = await listRows(db, input)
  const ids = rows.map((row) => row.device_id)
  const propertiesOf = await readProperties(latest, ids, withProperties)
  const list = rows.map((row) => ({ ...toDevice(row), ...propertiesOf(row.device_id) }))
  return { list, total, num: list.length }
}
