import type { DeviceKey, updateDeviceBody } from '@ithings/contract/features/devices/info.ts'
import type { Updateable } from 'kysely'
import type * as z from 'zod'
import { unknownDevice } from '#db/device-keys.ts'
import { selectDevices } from '#db/device-rows.ts'
import type { Db } from '#db/schema.ts'
import type { DeviceTable } from '#db/tables/devices.ts'

export async function findDevice(db: Db, key: DeviceKey) {
  const row = await selectDevices(db)
    .where('device.product_id', '=', key.productID)
    .where('device.device_name', '=', key.deviceName)
    .executeTakeFirst()
  if (!row) throw unknownDevice(key)
  return row
}

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
