/** Versions of the modules of devices, as they reported them. */
import { FirmwareModule } from '@ithings/contract/features/ota/firmware.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Common } from '#common-deps.ts'
import type { Db } from '#db/schema.ts'
import type { DeviceRef } from '#ports/event-bus.ts'

export interface ModuleVersion {
  module: number
  /** As the device calls it; '' leaves what it said before. */
  name: string
  version: string
  /** ms */
  at: number
}

/** The main module is what people see as the version of the device. */
async function keepDeviceVersion(db: Db, deviceID: number, version: string): Promise<boolean> {
  const changed = await db
    .updateTable('device')
    .set({ version, rev: sql`rev + 1` })
    .where('device_id', '=', deviceID)
    .where('version', '<>', version)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

export async function keepVersion(
  { db, bus }: Common<'db' | 'bus'>,
  device: DeviceRef,
  { module, name, version, at }: ModuleVersion,
): Promise<void> {
  const { deviceID } = device
  await sql`
    insert into device_module (device_id, module, name, version, reported_at)
    select device_id, ${module}, ${name}, ${version}, ${at} from device where device_id = ${deviceID}
    on conflict (device_id, module) do update set name = coalesce(nullif(excluded.name, ''), device_module.name), version = excluded.version,
      reported_at = greatest(device_module.reported_at, excluded.reported_at)`.execute(db)
  if (module !== FirmwareModule.main || !(await keepDeviceVersion(db, deviceID, version))) return
  bus.emit('device.described', { device })
}

/** Of rows of `device` joined with `device_module` as `module`: what people wrote or a device said long ago counts too. */
export const versionColumn = (module: number): RawBuilder<string> =>
  sql<string>`coalesce(module.version, case when ${module === FirmwareModule.main} then device.version else '' end)`

export interface DeviceState {
  productID: string
  deviceName: string
  online: boolean
  enabled: boolean
  version: string
  /** How the device calls the module; '' when it never said. */
  moduleName: string
  /** ms; 0: never. */
  reportedAt: number
}

export async function readDeviceState(db: Db, deviceID: number, module: number): Promise<DeviceState | undefined> {
  const { rows } = await sql<DeviceState>`
    select device.product_id as "productID", device.device_name as "deviceName", is_online = 1 as online,
      is_enable = 1 as enabled, ${versionColumn(module)} as version,
      coalesce(module.name, '') as "moduleName", coalesce(module.reported_at, 0) as "reportedAt"
    from device left join device_module module on module.device_id = device.device_id and module.module = ${module}
    where device.device_id = ${deviceID}`.execute(db)
  return rows[0]
}
