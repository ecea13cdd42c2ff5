import { errors, refusal } from '@ithings/contract/errors.ts'
import { BuiltInRole } from '@ithings/contract/features/users.ts'
import { refuseStrongerRole } from '#features/roles/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { lockUserAndAdmins, refuseLosingLastAdmin } from './store.ts'
import type { UsersDeps } from './users-deps.ts'

/** Logs keep the name; tokens of a deleted user find no user any more. */
export async function deleteUser(deps: UsersDeps, input: { userID: number }, ctx: SignedInContext) {
  if (input.userID === ctx.user.userID) throw refusal(errors.parameter, '不能删除自己')
  await deps.db.transaction().execute(async (db) => {
    const user = await lockUserAndAdmins(db, input.userID)
    await refuseStrongerRole(db, ctx.user, user.role_id)
    if (user.role_id === BuiltInRole.admin) await refuseLosingLastAdmin(db, user.user_id)
    await db.deleteFrom('app_user').where('user_id', '=', user.user_id).execute()
  })
  await deps.signal.send('access.user', { userID: input.userID })
}
