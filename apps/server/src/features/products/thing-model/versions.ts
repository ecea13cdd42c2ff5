/** Every change of a model left a version; one of them can come back. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import type { listSchemaVersions } from '@ithings/contract/features/thing-model.ts'
import { kept } from '@ithings/contract/text.ts'
import { diffModels } from '@ithings/contract/thing-model/model-diff.ts'
import { writeTslText } from '@ithings/contract/thing-model/tsl.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import { fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { ProductsDeps } from '../products-deps.ts'
import { requireProduct } from '../store.ts'
import { changeModel } from './change-model.ts'
import { loadModel, withTags } from './model-store.ts'
import { proposeModel } from './tsl.ts'

interface VersionKey {
  productID: string
  version: number
}

const count = (list: 'properties' | 'events' | 'actions') => sql<number>`jsonb_array_length(model -> ${sql.lit(list)})`

/** Newest first. */
export async function listVersions(db: Db, input: BodyOutput<typeof listSchemaVersions>) {
  await requireProduct(db, input.productID)
  const page = await fetchPage(
    db.selectFrom('product_model_version').where('product_id', '=', input.productID),
    (q) =>
      q.select([
        'version',
        'title',
        'user_name',
        'created_at',
        count('properties').as('properties'),
        count('events').as('events'),
        count('actions').as('actions'),
      ]),
    input.page,
    { columns: { version: 'version', createdTime: 'created_at' }, fallback: { column: 'version', desc: true } },
  )
  const list = page.list.map((row) => ({
    version: row.version,
    title: row.title,
    userName: row.user_name,
    createdTime: toSecondsStr(row.created_at),
    propertyCount: row.properties,
    eventCount: row.events,
    actionCount: row.actions,
  }))
  return { list, total: page.total }
}

async function requireVersion(db: Db, { productID, version }: VersionKey) {
  await requireProduct(db, productID)
  const row = await db
    .selectFrom('product_model_version')
    .select('model')
    .where('product_id', '=', productID)
    .where('version', '=', version)
    .executeTakeFirst()
  if (!row) throw refusal(errors.notFound, '物模型版本 {version} 不存在', { version })
  return row.model
}

/** The difference is what a restore would do to the model of now. */
export async function readVersion(db: Db, key: VersionKey) {
  const model = await requireVersion(db, key)
  return { tsl: writeTslText(model, key.productID), diff: diffModels(await loadModel(db, key.productID), model) }
}

export async function restoreVersion(deps: ProductsDeps, key: VersionKey, user: SignedInUser) {
  const model = await requireVersion(deps.db, key)
  return changeModel(deps, key.productID, user, (stored) =>
    proposeModel(stored, withTags(model, stored), kept('恢复到版本 {version}', { version: key.version })),
  )
}
