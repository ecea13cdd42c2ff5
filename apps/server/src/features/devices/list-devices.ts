import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listDevices as listEndpoint } from '@ithings/contract/features/devices/info.ts'
import { devicesByID, toDevice } from '#db/device-rows.ts'
import type { Db } from '#db/schema.ts'
import { resolveScope } from './device-scope.ts'
import type { DevicesKit } from './devices-kit.ts'
import { pageDevices } from './page-devices.ts'
import { readProperties } from './with-properties.ts'

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

export async function listDevicesWithValues({ db, latest }: DevicesKit, { withProperties, ...input }: Input) {
  const { rows, total } = await listRows(db, input)
  const ids = rows.map((row) => row.device_id)
  const propertiesOf = await readProperties(latest, ids, withProperties)
  const list = rows.map((row) => ({ ...toDevice(row), ...propertiesOf(row.device_id) }))
  return { list, total, num: list.length }
}
