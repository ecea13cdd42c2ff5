import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import { BuiltInRole, EnabledStatus, type updateUserStatus as endpoint } from '@ithings/contract/features/users.ts'
import { sql } from 'kysely'
import { refuseStrongerRole } from '#features/roles/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { lockUserAndAdmins, refuseLosingLastAdmin } from './store.ts'
import type { UsersDeps } from './users-deps.ts'

/** Disabling ends every session of the user at once. */
export async function updateUserStatus(deps: UsersDeps, input: BodyOutput<typeof endpoint>, ctx: SignedInContext) {
  await deps.db.transaction().execute(async (db) => {
    const user = await lockUserAndAdmins(db, input.userID)
    await refuseStrongerRole(db, ctx.user, user.role_id)
    if (input.status === EnabledStatus.disabled) {
      if (user.user_id === ctx.user.userID) throw refusal(errors.parameter, '不能禁用自己')
      if (user.role_id === BuiltInRole.admin) await refuseLosingLastAdmin(db, user.user_id)
    }
    await db
      .updateTable('app_user')
      .set({
        status: input.status,
        rev: sql`rev + 1`,
        ...(input.status === EnabledStatus.disabled ? { token_version: sql`token_version + 1` } : {}),
      })
      .where('user_id', '=', user.user_id)
      .execute()
  })
  await deps.signal.send('access.user', { userID: input.userID })
}
