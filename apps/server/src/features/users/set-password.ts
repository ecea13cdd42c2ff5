/** Every way to a new password ends all sessions of that user. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type {
  changeOwnPassword as ownEndpoint,
  resetPassword as resetEndpoint,
} from '@ithings/contract/features/users.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { refuseStrongerRole } from '#features/roles/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { guarded, liftFreeze } from './login-guard.ts'
import { hashPassword, refuseWrongPassword } from './password.ts'
import { findUser } from './store.ts'
import type { UsersDeps } from './users-deps.ts'

async function setPassword({ db, signal }: UsersDeps, userID: number, plain: string): Promise<void> {
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

export async function resetPassword(deps: UsersDeps, input: BodyOutput<typeof resetEndpoint>, ctx: SignedInContext) {
  const user = await findUser(deps.db, input.userID)
  await refuseStrongerRole(deps.db, ctx.user, user.role_id)
  await setPassword(deps, user.user_id, input.password)
  await liftFreeze(deps.db, user.user_name)
}

export async function changeOwnPassword(deps: UsersDeps, input: BodyOutput<typeof ownEndpoint>, ctx: SignedInContext) {
  const user = await findUser(deps.db, ctx.user.userID)
  const old = { password: input.oldPassword, pwdType: input.pwdType }
  await guarded(deps, user, ctx.ip, () =>
    refuseWrongPassword(user, old, { msg: phrase('原密码不正确'), field: 'oldPassword' }),
  )
  await setPassword(deps, user.user_id, input.newPassword)
}
