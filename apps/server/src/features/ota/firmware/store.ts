import { AppError, errors } from '@ithings/contract/errors.ts'
import type { Selectable } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { FirmwareFileTable, FirmwareTable } from '#db/tables/ota.ts'

export type FirmwareRow = Selectable<FirmwareTable>
export type FirmwareFileRow = Selectable<FirmwareFileTable>

/** Deleted packages are history: tasks still tell of them, nobody can use them. */
export async function requireFirmware(db: Db, firmwareID: number): Promise<FirmwareRow> {
  const row = await db
    .selectFrom('firmware')
    .selectAll()
    .where('firmware_id', '=', firmwareID)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new AppError(errors.notFound, { detail: `固件包 ${firmwareID} 不存在或已被删除` })
  return row
}

export const filesOf = (db: Db, firmwareID: number): Promise<FirmwareFileRow[]> =>
  db.selectFrom('firmware_file').selectAll().where('firmware_id', '=', firmwareID).orderBy('id').execute()

/** device-protocol.md 8: `signature` is the digest by the package's method. */
export const digestOf = ({ sign_method }: Pick<FirmwareRow, 'sign_method'>, file: FirmwareFileRow): string =>
  sign_method === 'md5' ? file.md5 : file.sha256
