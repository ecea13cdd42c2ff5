/** A new row of the device table; below the features because people, gateways and devices themselves make devices. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { Insertable } from 'kysely'
import type { Db } from './schema.ts'
import { places, seal } from './sealed.ts'
import type { DeviceTable } from './tables/devices.ts'

/** The secret comes as it is. */
export type NewDeviceRow = Omit<Insertable<DeviceTable>, 'secret'> & { secret: string }

export const sealedRow = (db: Db, row: NewDeviceRow): Insertable<DeviceTable> => ({
  ...row,
  secret: seal(db, places.device(row.product_id, row.device_name), row.secret),
})

/** Two people taking one name at the same moment: the database decides, we say it in words. */
export async function insertDevice(db: Db, row: NewDeviceRow): Promise<void> {
  try {
    await db.insertInto('device').values(sealedRow(db, row)).execute()
  } catch (cause) {
    const { constraint } = cause as { constraint?: string }
    if (constraint === 'device_product_id_device_name_key') {
      throw new AppError(errors.duplicate, { msg: `设备名称重复:${row.device_name}`, field: 'deviceName', cause })
    }
    if (constraint === 'device_product_id_fkey') {
      throw new AppError(errors.notFound, { detail: `产品 ${row.product_id} 不存在`, field: 'productID', cause })
    }
    throw cause
  }
}
