/** Deleting takes the links to groups and gateways with it (http-api.md 4.2: its data too). */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { multiDeleteDevices as multiDeleteEndpoint } from '@ithings/contract/features/devices/bulk.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { announceDevices } from './announce-devices.ts'
import { bulkResult } from './bulk-result.ts'
import { findByKeys, requireDevice, unknownDevice } from './device-keys.ts'
import type { DevicesDeps } from './devices-deps.ts'

/** Nobody speaks for the children of a deleted gateway. @returns them, because what is remembered of them is stale */
async function releaseChildren(db: Db, gatewayIDs: number[]): Promise<DeviceKey[]> {
  const { rows } = await sql<{ product_id: string; device_name: string }>`
    with child as (
      select device.device_id, not exists (
        select from device_session where device_session.device_id = device.device_id) as silent
      from gateway_device join device using (device_id) where gateway_id = any(${gatewayIDs}::bigint[])
      order by device.device_id for no key update of device
    )
    update device set is_online = case when child.silent then 2 else is_online end
    from child where device.device_id = child.device_id
    returning device.product_id, device.device_name`.execute(db)
  return rows.map((row) => ({ productID: row.product_id, deviceName: row.device_name }))
}

export async function deleteDevice({ db, signal }: DevicesDeps, key: DeviceKey): Promise<void> {
  const children = await db.transaction().execute(async (db) => {
    const { deviceID } = await requireDevice(db, key)
    const released = await releaseChildren(db, [deviceID])
    await db.deleteFrom('device').where('device_id', '=', deviceID).execute()
    return released
  })
  await announceDevices(signal, [key, ...children])
}

export const deleteWork = { kind: 'device.multi-delete', act: multiDeleteDevices, removes: true } as const

type Chosen = Omit<BodyOutput<typeof multiDeleteEndpoint>, 'filter'>

export async function multiDeleteDevices(deps: DevicesDeps, { list = [] }: Chosen) {
  const { found, missing } = await findByKeys(deps.db, list)
  const ids = found.map((one) => one.deviceID)
  const children = await deps.db.transaction().execute(async (db) => {
    const released = await releaseChildren(db, ids)
    // Locked in one order for everybody, so that two bulk operations cannot wait for each other.
    await sql`
      with locked as materialized (
        select device_id from device where device_id = any(${ids}::bigint[]) order by device_id for update
      )
      delete from device where device_id in (select device_id from locked)`.execute(db)
    return released
  })
  await announceDevices(deps.signal, [...found, ...children])
  return bulkResult(
    found.length,
    missing.map((key) => [key, unknownDevice(key)] as const),
  )
}
