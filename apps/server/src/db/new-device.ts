/** A new row of the device table; below the features because people, gateways and devices themselves make devices. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { Insertable } from 'kysely'
import type { Db } from './schema.ts'
import type { DeviceTable } from './tables/devices.ts'

/** Two people taking one name at the same moment: the database decides, we say it in words. */
export async function insertDevice(db: Db, row: Insertable<DeviceTable>): Promise<void> {
  try {
    await db.insertInto('device').values(row).execute()
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
