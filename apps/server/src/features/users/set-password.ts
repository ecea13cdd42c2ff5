/** Every way to a new password ends all sessions of that user. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type {
  changeOwnPassword as ownEndpoint,
  resetPassword as resetEndpoint,
} from '@ithings/contract/features/users.ts'
import { sql } from 'kysely'
import { refuseStrongerRole } from '#features/roles/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { guarded, liftFreeze } from './login-guard.ts'
import { hashPassword, refuseWrongPassword } from './password.ts'
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
  const user = await findUser(kit.db, ctx.user.userID)
  const old = { password: input.oldPassword, pwdType: input.pwdType }
  await guarded(kit, user, ctx.ip, () => refuseWrongPassword(user, old, { msg: '原密码不正确', field: 'oldPassword' }))
  await setPassword(kit, user.user_id, input.newPassword)
}
