import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import type { Db } from '#db/schema.ts'
import { devicesByID, requireDevice, toDevice } from '#features/devices/door.ts'

export async function readGatewayOf(db: Db, key: DeviceKey) {
  const { deviceID } = await requireDevice(db, key)
  const link = await db
    .selectFrom('gateway_device')
    .select('gateway_id')
    .where('device_id', '=', deviceID)
    .executeTakeFirst()
  const [gateway] = link ? await devicesByID(db, [link.gateway_id]) : []
  return { gateway: gateway ? toDevice(gateway) : null }
}
