import { type AppError, errors, refusal } from '@ithings/contract/errors.ts'
import type { Selectable } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { FirmwareFileTable, FirmwareTable } from '#db/tables/ota.ts'

export type FirmwareRow = Selectable<FirmwareTable>
export type FirmwareFileRow = Selectable<FirmwareFileTable>

export const missingFirmware = (firmwareID: number): AppError =>
  refusal(errors.notFound, '固件包 {firmwareID} 不存在或已被删除', { firmwareID })

/** Deleted packages are history: tasks still tell of them, nobody can use them. */
export async function requireFirmware(db: Db, firmwareID: number): Promise<FirmwareRow> {
  const row = await db
    .selectFrom('firmware')
    .selectAll()
    .where('firmware_id', '=', firmwareID)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw missingFirmware(firmwareID)
  return row
}

/** Nobody can make a task of it meanwhile: a new task's reference waits for this lock. */
export async function lockFirmware(db: Db, firmwareID: number): Promise<FirmwareRow> {
  const row = await db
    .selectFrom('firmware')
    .selectAll()
    .where('firmware_id', '=', firmwareID)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw missingFirmware(firmwareID)
  return row
}

export async function requireProduct(db: Db, productID: string): Promise<void> {
  const row = await db.selectFrom('product').select('product_id').where('product_id', '=', productID).executeTakeFirst()
  if (!row) throw refusal(errors.notFound, '产品 {productID} 不存在', { productID })
}

export const filesOf = (db: Db, firmwareID: number): Promise<FirmwareFileRow[]> =>
  db.selectFrom('firmware_file').selectAll().where('firmware_id', '=', firmwareID).orderBy('id').execute()

/** device-protocol.md 8: `signature` is the digest by the package's method. */
export const digestOf = ({ sign_method }: Pick<FirmwareRow, 'sign_method'>, file: FirmwareFileRow): string =>
  sign_method === 'md5' ? file.md5 : file.sha256
