/**
 * Keys made at the first start and kept in PostgreSQL, so that several servers share them (decisions.md 3 "DATA_DIR").
 */
import { randomBytes } from 'node:crypto'
import type { Db } from '#db/schema.ts'
import { openBytes, places, sealBytes } from '#db/sealed.ts'

export async function loadKey(db: Db, name: 'token' | 'link'): Promise<Uint8Array> {
  await db
    .insertInto('platform_key')
    .values({ name, secret: sealBytes(db, places.platformKey(name), randomBytes(32)) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db.selectFrom('platform_key').select('secret').where('name', '=', name).executeTakeFirstOrThrow()
  return openBytes(db, places.platformKey(name), row.secret)
}
