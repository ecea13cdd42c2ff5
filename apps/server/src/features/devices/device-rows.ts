/** Devices as they travel (http-api.md 4.1). */
import type { Device, DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import type { Selectable } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { DeviceTable } from '#db/tables/devices.ts'
import { unknownDevice } from './device-keys.ts'

export type DeviceRow = Selectable<DeviceTable> & { product_name: string; device_type: number }

const selectDevices = (db: Db) =>
  db
    .selectFrom('device')
    .innerJoin('product', 'product.product_id', 'device.product_id')
    .selectAll('device')
    .select(['product.product_name', 'product.device_type'])

/**
 * @param secret only `read` carries it. Consoles of the public platform tell the rows of lists apart by it: there it is a
 * text that no two devices have, which opens nothing.
 */
export const toDevice = (row: DeviceRow, secret = `hidden-${row.device_id}`): Device => ({
  productID: row.product_id,
  deviceName: row.device_name,
  deviceAlias: row.device_alias,
  secret,
  cert: row.cert,
  imei: row.imei,
  mac: row.mac,
  hardInfo: row.hard_info,
  softInfo: row.soft_info,
  version: row.version,
  position: { longitude: row.longitude, latitude: row.latitude },
  address: row.address,
  tags: row.tags,
  isOnline: row.is_online,
  firstLogin: toSecondsStr(row.first_login),
  lastLogin: toSecondsStr(row.last_login),
  createdTime: toSecondsStr(row.created_at),
  logLevel: row.log_level,
  mobileOperator: row.mobile_operator,
  phone: row.phone,
  iccid: row.iccid,
  projectID: '0',
  areaID: '0',
  productName: row.product_name,
  deviceType: row.device_type,
  isEnable: row.is_enable,
  isSimulated: row.is_simulated,
  rev: row.rev,
})

export async function findDevice(db: Db, key: DeviceKey): Promise<DeviceRow> {
  const row = await selectDevices(db)
    .where('device.product_id', '=', key.productID)
    .where('device.device_name', '=', key.deviceName)
    .executeTakeFirst()
  if (!row) throw unknownDevice(key)
  return row
}

/** The rows of these ids, in the order of the ids. */
export async function devicesByID(db: Db, ids: number[]): Promise<DeviceRow[]> {
  if (ids.length === 0) return []
  const rows = await selectDevices(db).where('device.device_id', 'in', ids).execute()
  const byID = new Map(rows.map((row) => [row.device_id, row]))
  return ids.flatMap((id) => byID.get(id) ?? [])
}
