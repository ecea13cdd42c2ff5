/** Deleting takes the links to groups and gateways with it (http-api.md 4.2: its data too). */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { multiDeleteDevices as multiDeleteEndpoint } from '@ithings/contract/features/devices/bulk.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { sql } from 'kysely'
import { announceDevices } from '#db/announce-devices.ts'
import { findByKeys, unknownDevice } from '#db/device-keys.ts'
import { bulkResult } from './bulk-result.ts'
import type { DevicesKit } from './devices-kit.ts'

export async function deleteDevice({ db, signal }: DevicesKit, { productID, deviceName }: DeviceKey): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('device')
    .where('product_id', '=', productID)
    .where('device_name', '=', deviceName)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw unknownDevice({ productID, deviceName })
  await signal.send('device.changed', { productID, deviceName })
}

export async function multiDeleteDevices(kit: DevicesKit, { list }: BodyOutput<typeof multiDeleteEndpoint>) {
  const { found, missing } = await findByKeys(kit.db, list)
  // Locked in one order for everybody, so that two bulk operations cannot wait for each other.
  await sql`
    with locked as materialized (
      select device_id from device where device_id = any(${found.map((one) => one.deviceID)}::bigint[])
      order by device_id for update
    )
    delete from device where device_id in (select device_id from locked)`.execute(kit.db)
  await announceDevices(kit.signal, found)
  return bulkResult(
    found.length,
    missing.map((key) => [key, unknownDevice(key)] as const),
  )
}
