import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listDevices as listEndpoint } from '@ithings/contract/features/devices/info.ts'
import { devicesByID, toDevice } from '#db/device-rows.ts'
import type { Db } from '#db/schema.ts'
import { resolveScope } from './device-scope.ts'
import { pageDevices } from './page-devices.ts'
import { propertiesOf } from './with-properties.ts'

export async function listDevices(db: Db, { page, withProperties, ...filter }: BodyOutput<typeof listEndpoint>) {
  const { ids, total } = await pageDevices(db, await resolveScope(db, filter), page)
  const rows = await devicesByID(db, ids)
  const list = rows.map((row) => ({ ...toDevice(row), ...propertiesOf(withProperties) }))
  return { list, total, num: list.length }
}
