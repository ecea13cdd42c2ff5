/** The account of somebody whom a provider knows: found by its subject alone, or made; its role as the rules say. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { EnabledStatus, profileFields } from '@ithings/contract/features/users.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import {
  findUser,
  hasSecondFactor,
  isLastAdmin,
  lockUserAndAdmins,
  nameConflicts,
  type UserRow,
} from '#features/users/door.ts'
import type { SignedOn } from '#ports/identity-provider.ts'
import { roleByRules, textAt, userNameOf, vouchesFactor } from './claims.ts'
import type { SignOnDeps } from './sign-on-deps.ts'
import type { ProviderRow } from './store.ts'

function roleOf(provider: ProviderRow, { claims }: SignedOn): number {
  const role = roleByRules(provider.rules, claims) ?? provider.default_role
  if (role === null)
    throw new AppError(errors.fallback, {
      msg: phrase('「{name}」给出的信息不符合任何角色规则，请联系管理员', { name: provider.name }),
    })
  return role
}

/** The profile takes only what it would take from people. */
function profileOf(provider: ProviderRow, { claims }: SignedOn) {
  const nickName = textAt(claims, provider.nick_name_claim).slice(0, 32)
  const email = profileFields.shape.email.safeParse(textAt(claims, provider.email_claim))
  return { nick_name: nickName, email: (email.success && email.data) || '' }
}

async function makeUser(
  db: Db,
  provider: ProviderRow,
  signedOn: SignedOn,
  { ip, at }: { ip: string; at: Date },
): Promise<UserRow> {
  if (!provider.create_users)
    throw new AppError(errors.fallback, {
      msg: phrase('平台上没有与你的企业账号关联的用户，请联系管理员'),
    })
  const userName = userNameOf(textAt(signedOn.claims, provider.user_name_claim), signedOn.subject)
  const profile = profileOf(provider, signedOn)
  const taken = await db
    .selectFrom('app_user')
    .select('user_name')
    .where((eb) =>
      eb.or([
        eb(sql<string>`lower(user_name)`, '=', userName.toLowerCase()),
        eb.and([eb(sql<string>`lower(email)`, '=', profile.email.toLowerCase()), eb.val(profile.email !== '')]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  if (taken)
    throw new AppError(errors.duplicate, {
      msg: phrase('平台上已有用户名或邮箱相同的用户；如果是你本人，请管理员把企业账号 {subject} 关联到该用户', {
        subject: signedOn.subject,
      }),
    })
  const user = await db
    .insertInto('app_user')
    .values({ ...profile, user_name: userName, password_hash: '', role_id: roleOf(provider, signedOn), reg_ip: ip })
    .returningAll()
    .executeTakeFirstOrThrow()
  await db
    .insertInto('user_identity')
    .values({ provider_id: provider.id, subject: signedOn.subject, user_id: user.user_id, last_login_at: at })
    .execute()
  return user
}

/** The last administrator with a password stays one, whatever a provider says. */
async function followRole(db: Db, provider: ProviderRow, signedOn: SignedOn, userID: number): Promise<UserRow> {
  const user = await lockUserAndAdmins(db, userID)
  if (!provider.role_each_time) return user
  const role = roleOf(provider, signedOn)
  if (role === user.role_id || (await isLastAdmin(db, userID))) return user
  return db
    .updateTable('app_user')
    .set({ role_id: role, rev: sql`rev + 1` })
    .where('user_id', '=', userID)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function refuseUnfit(db: Db, provider: ProviderRow, user: UserRow, vouched: boolean): Promise<void> {
  if (user.status !== EnabledStatus.enabled)
    throw new AppError(errors.notEnabled, { detail: phrase('账号已被禁用，请联系管理员') })
  const role = await db
    .selectFrom('role')
    .select(['status', 'second_factor'])
    .where('id', '=', user.role_id)
    .executeTakeFirstOrThrow()
  if (role.status !== EnabledStatus.enabled)
    throw new AppError(errors.notEnabled, { detail: phrase('你的角色已被禁用，请联系管理员') })
  if (vouched || !(role.second_factor || hasSecondFactor(user))) return
  throw new AppError(errors.fallback, {
    msg: phrase('你的角色或账号要求两步验证，而「{name}」没有说明已验证第二个因素，请联系管理员', {
      name: provider.name,
    }),
  })
}

export interface CompanyUser {
  user: UserRow
  /** The provider saw a second factor. */
  vouched: boolean
}

export async function companyUser(
  deps: SignOnDeps,
  provider: ProviderRow,
  signedOn: SignedOn,
  ip: string,
): Promise<CompanyUser> {
  const vouched = vouchesFactor(signedOn.claims, { factor: provider.factor, acrValues: provider.acr_values })
  const at = new Date(deps.clock.now())
  const own = { provider_id: provider.id, subject: signedOn.subject }
  const { before, user } = await nameConflicts(
    deps.db.transaction().execute(async (db) => {
      const known = await db
        .updateTable('user_identity')
        .set({ last_login_at: at })
        .where((eb) => eb.and(own))
        .returning('user_id')
        .executeTakeFirst()
      const before = known && (await findUser(db, known.user_id))
      const user = before
        ? await followRole(db, provider, signedOn, before.user_id)
        : await makeUser(db, provider, signedOn, { ip, at })
      await refuseUnfit(db, provider, user, vouched)
      return { before, user }
    }),
  )
  if (before && before.role_id !== user.role_id) await deps.users.signal.send('access.user', { userID: user.user_id })
  return { user, vouched }
}
