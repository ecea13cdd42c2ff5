import type { Db } from '#db/schema.ts'

/** There is one row, made by the first migration. */
export const readSettingRow = (db: Db) => db.selectFrom('setting').selectAll().executeTakeFirstOrThrow()

export const lockSettingRow = (db: Db) => db.selectFrom('setting').selectAll().forUpdate().executeTakeFirstOrThrow()
