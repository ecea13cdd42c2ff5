import { AppError, errors } from '@ithings/contract/errors.ts'
import { backChannelPath, signOnReturn } from '@ithings/contract/features/sign-on.ts'
import { EnabledStatus } from '@ithings/contract/features/users.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Selectable } from 'kysely'
import { inWords } from '#db/conflicts.ts'
import type { Db } from '#db/schema.ts'
import { open, places } from '#db/sealed.ts'
import type { SignOnProviderTable } from '#db/tables/sign-on.ts'
import type { ProviderSettings } from '#ports/identity-provider.ts'
import type { SignOnDeps } from './sign-on-deps.ts'

export type ProviderRow = Selectable<SignOnProviderTable>

export async function findProvider(db: Db, id: number, lock = false): Promise<ProviderRow> {
  const row = await db
    .selectFrom('sign_on_provider')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw new AppError(errors.notFound, { detail: phrase('企业登录 {id} 不存在', { id }) })
  return row
}

export async function findEnabled(db: Db, key: string): Promise<ProviderRow> {
  const row = await db
    .selectFrom('sign_on_provider')
    .selectAll()
    .where('key', '=', key)
    .where('status', '=', EnabledStatus.enabled)
    .executeTakeFirst()
  if (!row) throw new AppError(errors.notEnabled, { msg: phrase('这种登录方式不存在或已停用') })
  return row
}

export const settingsOf = (db: Db, row: ProviderRow): ProviderSettings => ({
  issuer: row.issuer,
  clientID: row.client_id,
  secret: open(db, places.signOn, row.client_secret),
  scopes: row.scopes,
  acrValues: row.acr_values,
})

/** spec 9: the base public path. */
const consolePath = '/front/iThingsCore'

/** One for each provider: an answer that comes to another one's address is refused. */
export const redirectUriOf = ({ publicUrl }: SignOnDeps, key: string): string =>
  `${publicUrl()}${consolePath}${signOnReturn}/${key}`
export const signOutUriOf = ({ publicUrl }: SignOnDeps): string => `${publicUrl()}${consolePath}/user/login`
export const backChannelUriOf = ({ publicUrl }: SignOnDeps, key: string): string =>
  `${publicUrl()}${backChannelPath}/${key}`

export const keyConflicts = <T>(work: Promise<T>): Promise<T> =>
  inWords(work, {
    sign_on_provider_key_key: (cause) =>
      new AppError(errors.duplicate, { msg: phrase('标识已被使用'), field: 'key', cause }),
    sign_on_provider_name_key: (cause) =>
      new AppError(errors.duplicate, { msg: phrase('名称已被使用'), field: 'name', cause }),
    sign_on_provider_default_role_fkey: (cause) =>
      new AppError(errors.parameter, { detail: phrase('角色不存在'), field: 'defaultRole', cause }),
  })

/** What is no secret, as the wire has it. */
export const openFieldsOf = (row: ProviderRow) => ({
  key: row.key,
  name: row.name,
  nameEn: row.name_en,
  issuer: row.issuer,
  clientID: row.client_id,
  scopes: row.scopes,
  status: row.status as EnabledStatus,
  userNameClaim: row.user_name_claim,
  nickNameClaim: row.nick_name_claim,
  emailClaim: row.email_claim,
  createUsers: row.create_users,
  defaultRole: row.default_role ?? 0,
  rules: row.rules,
  roleEachTime: row.role_each_time,
  factor: row.factor,
  acrValues: row.acr_values,
  endSession: row.end_session,
})
