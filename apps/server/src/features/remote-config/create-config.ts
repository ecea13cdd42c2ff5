import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import {
  type createConfig as createEndpoint,
  maxConfigVersions,
  type restoreConfig as restoreEndpoint,
} from '@ithings/contract/features/remote-config.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { RemoteConfigDeps } from './remote-config-deps.ts'
import { findLatest, lockProduct, requireVersion } from './store.ts'

interface NewVersion {
  productID: string
  content: string
  note: string
  restoredFrom: number
  userName: string
}

/** decisions.md 4.3. What an open push or the restored-from line may still ask for stays as long as it is asked for. */
async function dropOldest(db: Db, productID: string): Promise<void> {
  await sql`
    delete from remote_config
    where product_id = ${productID}
      and id <= (
        select id from remote_config where product_id = ${productID}
        order by id desc offset ${maxConfigVersions} limit 1)
      and not exists (
        select 1 from rollout
        where kind = 'config' and rollout.product_id = remote_config.product_id and owner_id = remote_config.id
          and finished_at = 0)`.execute(db)
}

/** The product is locked: two of them get two numbers, and the newest is never dropped. */
async function insertVersion(db: Db, version: NewVersion): Promise<number> {
  const { productID, content, note, restoredFrom, userName } = version
  const id = ((await findLatest(db, productID))?.id ?? 0) + 1
  await db
    .insertInto('remote_config')
    .values({ product_id: productID, id, content, note, restored_from: restoredFrom, user_name: userName })
    .execute()
  await dropOldest(db, productID)
  return id
}

/** Each save is a version (http-api.md 3.4). */
export async function createConfig(
  deps: RemoteConfigDeps,
  { productID, content, note, basedOn }: BodyOutput<typeof createEndpoint>,
  userName: string,
) {
  return deps.db.transaction().execute(async (db) => {
    await lockProduct(db, productID)
    refuseStaleEdit(basedOn, (await findLatest(db, productID))?.id ?? 0)
    return { id: await insertVersion(db, { productID, content, note, restoredFrom: 0, userName }) }
  })
}

export async function restoreConfig(
  deps: RemoteConfigDeps,
  { productID, id, note }: BodyOutput<typeof restoreEndpoint>,
  userName: string,
) {
  return deps.db.transaction().execute(async (db) => {
    await lockProduct(db, productID)
    const { content } = await requireVersion(db, productID, id)
    const said = note || kept('恢复自版本 {id}', { id })
    return { id: await insertVersion(db, { productID, content, note: said, restoredFrom: id, userName }) }
  })
}
