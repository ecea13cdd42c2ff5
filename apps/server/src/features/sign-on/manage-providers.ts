import { parseInput } from '@ithings/contract/describe-issue.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import {
  type createProvider as createEndpoint,
  providerBody,
  signOnLimits,
  type testProvider as testEndpoint,
  type updateProvider as updateEndpoint,
} from '@ithings/contract/features/sign-on.ts'
import { EnabledStatus } from '@ithings/contract/features/users.ts'
import { keep, phrase } from '@ithings/contract/text.ts'
import { type Insertable, sql } from 'kysely'
import { jsonText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import { open, places, seal } from '#db/sealed.ts'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { SignOnProviderTable } from '#db/tables/sign-on.ts'
import { refuseStrongerRole } from '#features/roles/door.ts'
import { requireRole } from '#features/users/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { SignOnFault } from '#ports/identity-provider.ts'
import { endProviderSessions } from './provider-sessions.ts'
import type { SignOnDeps } from './sign-on-deps.ts'
import { findProvider, keyConflicts, openFieldsOf, type ProviderRow } from './store.ts'

type Fields = BodyOutput<typeof createEndpoint>

const columnsOf = (db: Db, fields: Fields): Insertable<SignOnProviderTable> => ({
  key: fields.key,
  name: fields.name,
  name_en: fields.nameEn,
  issuer: fields.issuer,
  client_id: fields.clientID,
  client_secret: seal(db, places.signOn, fields.secret),
  scopes: fields.scopes,
  status: fields.status,
  user_name_claim: fields.userNameClaim,
  nick_name_claim: fields.nickNameClaim,
  email_claim: fields.emailClaim,
  create_users: fields.createUsers,
  default_role: fields.defaultRole === 0 ? null : fields.defaultRole,
  rules: jsonText(fields.rules),
  role_each_time: fields.roleEachTime,
  factor: fields.factor,
  acr_values: fields.acrValues,
  end_session: fields.endSession,
})

const rolesOf = ({ defaultRole, rules }: Pick<Fields, 'defaultRole' | 'rules'>): Set<number> =>
  new Set([...(defaultRole === 0 ? [] : [defaultRole]), ...rules.map(({ roleID }) => roleID)])

/** A provider gives roles: nobody makes it give one that is stronger than his own, or changes whom it gives one. */
async function refuseStrongerRoles(db: Db, fields: Fields, ctx: SignedInContext): Promise<void> {
  for (const role of rolesOf(fields)) await refuseStrongerRole(db, ctx.user, role)
}

async function requireRoles(db: Db, fields: Fields): Promise<void> {
  for (const role of rolesOf(fields)) await requireRole(db, role)
}

export async function createProvider({ db }: SignOnDeps, fields: Fields, ctx: SignedInContext) {
  return keyConflicts(
    db.transaction().execute(async (trx) => {
      // The count must not change under us.
      await sql`lock table sign_on_provider in share row exclusive mode`.execute(trx)
      const { count } = await trx
        .selectFrom('sign_on_provider')
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow()
      const most = signOnLimits.providers
      if (count >= most) throw new AppError(errors.quota, { msg: phrase('企业登录数量已达上限 {most}', { most }) })
      await requireRoles(trx, fields)
      await refuseStrongerRoles(trx, fields, ctx)
      return trx.insertInto('sign_on_provider').values(columnsOf(trx, fields)).returning('id').executeTakeFirstOrThrow()
    }),
  )
}

/** Who is known by a provider is known by its issuer; another issuer could call anybody so. */
async function refuseOtherIssuer(db: Db, row: ProviderRow, given: Partial<Fields>): Promise<void> {
  if (given.issuer === undefined || given.issuer === row.issuer) return
  const known = await db
    .selectFrom('user_identity')
    .select('subject')
    .where('provider_id', '=', row.id)
    .limit(1)
    .executeTakeFirst()
  if (known)
    throw new AppError(errors.parameter, {
      detail: phrase('已有用户通过它登录，不能更换签发者；请新增一个企业登录'),
      field: 'issuer',
    })
  if (given.secret === undefined && row.client_secret !== '')
    throw new AppError(errors.parameter, {
      detail: phrase('更换签发者时请重新填写客户端密钥'),
      field: 'secret',
    })
}

const fieldsOf = (db: Db, row: ProviderRow): Fields => ({
  ...openFieldsOf(row),
  secret: open(db, places.signOn, row.client_secret),
})

export async function updateProvider(
  deps: SignOnDeps,
  { id, rev, ...given }: BodyOutput<typeof updateEndpoint>,
  ctx: SignedInContext,
) {
  const isOff = await keyConflicts(
    deps.db.transaction().execute(async (db) => {
      const row = await findProvider(db, id, true)
      refuseStaleEdit(rev, row.rev)
      await refuseOtherIssuer(db, row, given)
      const before = fieldsOf(db, row)
      const fields = parseInput(providerBody, { ...before, ...given })
      await refuseStrongerRoles(db, before, ctx)
      await requireRoles(db, fields)
      await refuseStrongerRoles(db, fields, ctx)
      await db
        .updateTable('sign_on_provider')
        .set({ ...columnsOf(db, fields), rev: sql`rev + 1` })
        .where('id', '=', id)
        .execute()
      return fields.status === EnabledStatus.disabled && row.status === EnabledStatus.enabled
    }),
  )
  if (isOff) await endProviderSessions(deps, { providerID: id })
}

/** Its users stay; those without a password get in again when an administrator gives them one. */
export async function deleteProvider(deps: SignOnDeps, { id }: { id: number }, ctx: SignedInContext) {
  const row = await findProvider(deps.db, id)
  await refuseStrongerRoles(deps.db, fieldsOf(deps.db, row), ctx)
  await endProviderSessions(deps, { providerID: id })
  await deps.db.deleteFrom('sign_on_provider').where('id', '=', id).execute()
}

const nothingFound = {
  authorizationEndpoint: '',
  tokenEndpoint: '',
  scopes: [],
  namesItself: false,
  endsSessions: false,
  backChannel: false,
}

export async function testProvider({ providers, clock }: SignOnDeps, { issuer }: BodyOutput<typeof testEndpoint>) {
  const began = clock.now()
  try {
    const facts = await providers.look(issuer)
    return { ok: true, msg: '', ms: clock.now() - began, ...facts }
  } catch (error) {
    if (!(error instanceof SignOnFault)) throw error
    return { ok: false, msg: keep([error.words]), ms: clock.now() - began, ...nothingFound }
  }
}
