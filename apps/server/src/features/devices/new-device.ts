/** A new row of the device table: people, gateways and devices themselves make devices. */

import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Insertable } from 'kysely'
import { inWords } from '#db/conflicts.ts'
import type { Db } from '#db/schema.ts'
import { places, seal } from '#db/sealed.ts'
import type { DeviceTable } from '#db/tables/devices.ts'

/** The secret comes as it is. */
export type NewDeviceRow = Omit<Insertable<DeviceTable>, 'secret'> & { secret: string }

export const sealedRow = (db: Db, row: NewDeviceRow): Insertable<DeviceTable> => ({
  ...row,
  secret: seal(db, places.device(row.product_id, row.device_name), row.secret),
})

export async function insertDevice(db: Db, row: NewDeviceRow): Promise<void> {
  await inWords(db.insertInto('device').values(sealedRow(db, row)).execute(), {
    device_product_id_device_name_key: (cause) =>
      new AppError(errors.duplicate, {
        msg: phrase('设备名称重复:{deviceName}', { deviceName: row.device_name }),
        field: 'deviceName',
        cause,
      }),
    device_product_id_fkey: (cause) =>
      refusal(errors.notFound, '产品 {productID} 不存在', { productID: row.product_id }, { field: 'productID', cause }),
  })
}
