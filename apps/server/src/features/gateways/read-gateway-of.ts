import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { findByKeys, refuseMissing } from '#db/device-keys.ts'
import { devicesByID, toDevice } from '#db/device-rows.ts'
import type { Db } from '#db/schema.ts'

export async function readGatewayOf(db: Db, key: DeviceKey) {
  const { found, missing } = await findByKeys(db, [key])
  refuseMissing(missing)
  const link = await db
    .selectFrom('gateway_device')
    .select('gateway_id')
    .where('device_id', '=', found[0]?.deviceID ?? 0)
    .executeTakeFirst()
  const [gateway] = link ? await devicesByID(db, [link.gateway_id]) : []
  return { gateway: gateway ? toDevice(gateway) : null }
}
