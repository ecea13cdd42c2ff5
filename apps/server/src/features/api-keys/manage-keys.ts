/** Making, changing and revoking keys: of service accounts by administrators, and each person's own. */
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import type { createServiceKey, ownKeyBody, updateKey as updateEndpoint } from '@ithings/contract/features/api-keys.ts'
import { phrase } from '@ithings/contract/text.ts'
import { type Insertable, sql } from 'kysely'
import type * as z from 'zod'
import type { Db } from '#db/schema.ts'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { ApiKeyTable } from '#db/tables/api-keys.ts'
import { refuseStrongerRole } from '#features/roles/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { ApiKeysDeps } from './api-keys-deps.ts'
import { hashOfKey, hintOfKey, makeKeyText } from './key-text.ts'

type KeyFields = Partial<z.output<typeof ownKeyBody>>

const callable = new Set(allEndpoints.filter(({ personal }) => !personal).map(({ path }) => path))
const mostOwnKeys = 50

const wrong = (field: string, detail: ReturnType<typeof phrase>) => new AppError(errors.parameter, { field, detail })

/** What the schema cannot know: that the things exist, and that the end lies ahead. */
async function checkFields({ db, clock }: ApiKeysDeps, fields: KeyFields): Promise<void> {
  const { apis = [], productID = '', groupID = 0, expiresTime = 0 } = fields
  const unknown = apis.find((path) => !callable.has(path))
  if (unknown !== undefined) throw wrong('apis', phrase('密钥不能调用接口 {path}', { path: unknown }))
  if (expiresTime > 0 && expiresTime * 1000 <= clock.now()) throw wrong('expiresTime', phrase('到期时间已过'))
  if (productID !== '') {
    const found = await db
      .selectFrom('product')
      .select('product_id')
      .where('product_id', '=', productID)
      .executeTakeFirst()
    if (!found) throw wrong('productID', phrase('产品 {productID} 不存在', { productID }))
  }
  if (groupID !== 0) {
    const found = await db
      .selectFrom('device_group')
      .select('group_id')
      .where('group_id', '=', groupID)
      .executeTakeFirst()
    if (!found) throw wrong('groupID', phrase('分组 {groupID} 不存在', { groupID }))
  }
}

const columnsOf = (fields: KeyFields): Partial<Insertable<ApiKeyTable>> => ({
  ...(fields.name !== undefined && { name: fields.name }),
  ...(fields.apis !== undefined && { apis: [...new Set(fields.apis)] }),
  ...(fields.productID !== undefined && { product_id: fields.productID }),
  ...(fields.groupID !== undefined && { group_id: fields.groupID }),
  ...(fields.addresses !== undefined && { addresses: fields.addresses }),
  ...(fields.perMinute !== undefined && { per_minute: fields.perMinute }),
  ...(fields.expiresTime !== undefined && {
    expires_at: fields.expiresTime === 0 ? null : new Date(fields.expiresTime * 1000),
  }),
})

async function insertKey(
  db: Db,
  fields: z.output<typeof ownKeyBody>,
  whose: Pick<Insertable<ApiKeyTable>, 'user_id' | 'role_id' | 'created_by'>,
) {
  const key = makeKeyText()
  const { id } = await db
    .insertInto('api_key')
    .values({ ...columnsOf(fields), ...whose, hash: hashOfKey(key), hint: hintOfKey(key) } as Insertable<ApiKeyTable>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, key }
}

export async function createServiceAccount(
  deps: ApiKeysDeps,
  { roleID, ...fields }: BodyOutput<typeof createServiceKey>,
  caller: SignedInUser,
) {
  await checkFields(deps, fields)
  const role = await deps.db.selectFrom('role').select('id').where('id', '=', roleID).executeTakeFirst()
  if (!role) throw wrong('roleID', phrase('角色 {roleID} 不存在', { roleID }))
  await refuseStrongerRole(deps.db, caller, roleID)
  return insertKey(deps.db, fields, { user_id: null, role_id: roleID, created_by: caller.userName })
}

export async function createOwn(deps: ApiKeysDeps, fields: z.output<typeof ownKeyBody>, caller: SignedInUser) {
  await checkFields(deps, fields)
  const { count } = await deps.db
    .selectFrom('api_key')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', caller.userID)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= mostOwnKeys) {
    throw new AppError(errors.quota, { msg: phrase('个人密钥最多 {most} 个，请先撤销不用的', { most: mostOwnKeys }) })
  }
  return insertKey(deps.db, fields, { user_id: caller.userID, role_id: null, created_by: caller.userName })
}

/** Locked until the transaction ends. @param owner his own only; absent: whoever's, of no stronger role than the caller's */
async function lockKey(db: Db, id: number, caller: SignedInUser, owner: number | undefined) {
  const row = await db.selectFrom('api_key').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row || (owner !== undefined && row.user_id !== owner)) {
    throw refusal(errors.notFound, 'API 密钥 {id} 不存在', { id })
  }
  if (owner === undefined) {
    const person =
      row.user_id === null
        ? undefined
        : await db.selectFrom('app_user').select('role_id').where('user_id', '=', row.user_id).executeTakeFirst()
    await refuseStrongerRole(db, caller, row.role_id ?? person?.role_id ?? 0)
  }
  return row
}

/** Absent fields stay as they are; it counts from the next call on. */
export async function updateKey(
  deps: ApiKeysDeps,
  { id, rev, ...fields }: BodyOutput<typeof updateEndpoint>,
  caller: SignedInUser,
  owner?: number,
) {
  await checkFields(deps, fields)
  await deps.db.transaction().execute(async (db) => {
    const row = await lockKey(db, id, caller, owner)
    refuseStaleEdit(rev, row.rev)
    if (row.revoked_at) throw refusal(errors.parameter, 'API 密钥已撤销')
    const { productID = row.product_id, groupID = row.group_id } = fields
    if (productID !== '' && groupID !== 0) throw wrong('groupID', phrase('产品和分组只能限定一个'))
    await db
      .updateTable('api_key')
      .set({ ...columnsOf(fields), rev: sql`rev + 1` })
      .where('id', '=', id)
      .execute()
  })
  await deps.signal.send('access.key', { id })
}

export async function revokeKey(deps: ApiKeysDeps, { id }: { id: number }, caller: SignedInUser, owner?: number) {
  await deps.db.transaction().execute(async (db) => {
    const row = await lockKey(db, id, caller, owner)
    if (row.revoked_at) return
    await db
      .updateTable('api_key')
      .set({ revoked_at: new Date(deps.clock.now()) })
      .where('id', '=', id)
      .execute()
  })
  await deps.signal.send('access.key', { id })
}
