/** Who is known by a provider as whom; an account that was there before is tied to somebody by an administrator only. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type {
  identitySortFields,
  linkIdentity as linkEndpoint,
  listIdentities as listEndpoint,
  unlinkIdentity as unlinkEndpoint,
} from '@ithings/contract/features/sign-on.ts'
import { phrase } from '@ithings/contract/text.ts'
import { toSeconds, toStr } from '@ithings/contract/wire.ts'
import { inWords } from '#db/conflicts.ts'
import { asked, fetchPage } from '#db/page.ts'
import { refuseStrongerRole } from '#features/roles/door.ts'
import { findUser } from '#features/users/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { endProviderSessions } from './provider-sessions.ts'
import type { SignOnDeps } from './sign-on-deps.ts'
import { findProvider } from './store.ts'

const columns = {
  createdTime: 'user_identity.created_at',
  lastLoginTime: 'user_identity.last_login_at',
} as const satisfies Record<(typeof identitySortFields)[number], string>

export async function listIdentities(
  { db }: SignOnDeps,
  { providerID, userName, page }: BodyOutput<typeof listEndpoint>,
) {
  const { name } = await findProvider(db, providerID)
  const filtered = db
    .selectFrom('user_identity')
    .innerJoin('app_user', 'app_user.user_id', 'user_identity.user_id')
    .where((eb) => asked(eb, { equal: { provider_id: providerID }, contains: { 'app_user.user_name': userName } }))
  const found = await fetchPage(
    filtered,
    (query) =>
      query
        .select(['subject', 'app_user.user_id', 'user_name', 'nick_name', 'password_hash'])
        .select(['user_identity.created_at', 'user_identity.last_login_at']),
    page,
    { columns, fallback: { column: 'user_identity.created_at', desc: true } },
  )
  const list = found.list.map((row) => ({
    providerID,
    providerName: name,
    subject: row.subject,
    userID: toStr(row.user_id),
    userName: row.user_name,
    nickName: row.nick_name,
    companyOnly: row.password_hash === '',
    createdTime: toSeconds(row.created_at),
    lastLoginTime: toSeconds(row.last_login_at),
  }))
  return { list, total: found.total }
}

export async function linkIdentity(
  { db }: SignOnDeps,
  { providerID, subject, userID }: BodyOutput<typeof linkEndpoint>,
  ctx: SignedInContext,
) {
  await findProvider(db, providerID)
  const user = await findUser(db, userID)
  await refuseStrongerRole(db, ctx.user, user.role_id)
  await inWords(
    db.insertInto('user_identity').values({ provider_id: providerID, subject, user_id: userID }).execute(),
    {
      user_identity_pkey: (cause) =>
        new AppError(errors.duplicate, { msg: phrase('这个企业账号已关联到其他用户'), field: 'subject', cause }),
      user_identity_user_key: (cause) =>
        new AppError(errors.duplicate, { msg: phrase('这个用户已关联了一个企业账号'), field: 'userID', cause }),
    },
  )
}

/** What he opened this way ends with it. */
export async function unlinkIdentity(
  deps: SignOnDeps,
  { providerID, subject }: BodyOutput<typeof unlinkEndpoint>,
  ctx: SignedInContext,
) {
  const { db } = deps
  const row = await db
    .selectFrom('user_identity')
    .innerJoin('app_user', 'app_user.user_id', 'user_identity.user_id')
    .select('role_id')
    .where('provider_id', '=', providerID)
    .where('subject', '=', subject)
    .executeTakeFirst()
  if (!row) throw new AppError(errors.notFound, { detail: phrase('没有这个关联') })
  await refuseStrongerRole(db, ctx.user, row.role_id)
  await db.deleteFrom('user_identity').where('provider_id', '=', providerID).where('subject', '=', subject).execute()
  await endProviderSessions(deps, { providerID, subject })
}
