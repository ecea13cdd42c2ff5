/** Every way to a new password ends all sessions of that user. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type {
  changeOwnPassword as ownEndpoint,
  resetPassword as resetEndpoint,
} from '@ithings/contract/features/users.ts'
import { sql } from 'kysely'
import { refuseStrongerRole } from '#features/roles/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { countAttempt, forgetFailures, freezeAtLimit, liftFreeze, subjectsOf } from './login-guard.ts'
import { hashPassword, passwordMatches } from './password.ts'
import { findUser } from './store.ts'
import type { UsersKit } from './users-kit.ts'

async function setPassword({ db, signal }: UsersKit, userID: number, plain: string): Promise<void> {
  await db
    .updateTable('app_user')
    .set({
      password_hash: await hashPassword(plain),
      token_version: sql`token_version + 1`,
      rev: sql`rev + 1`,
    })
    .where('user_id', '=', userID)
    .execute()
  await signal.send('access.user', { userID })
}

export async function resetPassword(kit: UsersKit, input: BodyOutput<typeof resetEndpoint>, ctx: SignedInContext) {
  const user = await findUser(kit.db, input.userID)
  await refuseStrongerRole(kit.db, ctx.user, user.role_id)
  await setPassword(kit, user.user_id, input.password)
  await liftFreeze(kit.db, user.user_name)
}

export async function changeOwnPassword(kit: UsersKit, input: BodyOutput<typeof ownEndpoint>, ctx: SignedInContext) {
  const { db, clock } = kit
  const user = await findUser(db, ctx.user.userID)
  // As at sign-in: whoever has found a console open must not try passwords for ever.
  const subjects = await subjectsOf(db, clock, { account: user.user_name, userID: user.user_id, ip: ctx.ip })
  await countAttempt(db, clock, subjects)
  if (!(await passwordMatches(user.password_hash, input.oldPassword, input.pwdType))) {
    await freezeAtLimit(db, clock, subjects)
    throw new AppError(errors.password, { msg: '原密码不正确', field: 'oldPassword' })
  }
  await forgetFailures(db, subjects)
  await setPassword(kit, user.user_id, input.newPassword)
}
