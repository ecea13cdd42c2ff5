import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { updateDeviceBody, updateDevice as updateEndpoint } from '@ithings/contract/features/devices/info.ts'
import { sql, type Updateable } from 'kysely'
import type * as z from 'zod'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { DeviceTable } from '#db/tables/devices.ts'
import { unknownDevice } from './device-keys.ts'
import type { DevicesDeps } from './devices-deps.ts'

export const disabled = 2

type Fields = Omit<z.output<typeof updateDeviceBody>, 'productID' | 'deviceName' | 'rev'>

/** Absent fields stay as they are; empty phone and card numbers are "none". */
export function deviceChanges(input: Fields): Updateable<DeviceTable> {
  const { deviceAlias, logLevel, address, position, tags, phone, iccid, mobileOperator, isEnable } = input
  return {
    ...(deviceAlias === undefined ? {} : { device_alias: deviceAlias }),
    ...(logLevel === undefined ? {} : { log_level: logLevel }),
    ...(address === undefined ? {} : { address }),
    ...(position === undefined ? {} : { longitude: position.longitude, latitude: position.latitude }),
    ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
    ...(phone === undefined ? {} : { phone: phone || null }),
    ...(iccid === undefined ? {} : { iccid: iccid || null }),
    ...(mobileOperator === undefined ? {} : { mobile_operator: mobileOperator }),
    ...(isEnable === undefined ? {} : { is_enable: isEnable }),
  }
}

export async function updateDevice(deps: DevicesDeps, input: BodyOutput<typeof updateEndpoint>) {
  const { productID, deviceName, rev, ...fields } = input
  await deps.db.transaction().execute(async (db) => {
    const device = await db
      .selectFrom('device')
      .select(['device_id', 'rev'])
      .where('product_id', '=', productID)
      .where('device_name', '=', deviceName)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!device) throw unknownDevice(input)
    refuseStaleEdit(rev, device.rev)
    await db
      .updateTable('device')
      .set({ ...deviceChanges(fields), rev: sql`rev + 1` })
      .where('device_id', '=', device.device_id)
      .execute()
  })
  await deps.signal.send('device.changed', { productID, deviceName })
  const { logLevel, isEnable } = fields
  if (isEnable === disabled) deps.bus.emit('device.disabled', { devices: [{ productID, deviceName }] })
  if (logLevel !== undefined) deps.bus.emit('device.logLevel', { devices: [{ productID, deviceName }], logLevel })
}
