import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { badField } from '@ithings/contract/errors.ts'
import { BuiltInRole, type updateUser as updateUserEndpoint } from '@ithings/contract/features/users.ts'
import { sql } from 'kysely'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import { refuseStrongerRole } from '#features/roles/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { asStored } from './first-account.ts'
import { lockUserAndAdmins, nameConflicts, profileChanges, refuseLosingLastAdmin, requireRole } from './store.ts'
import type { UsersDeps } from './users-deps.ts'

export async function updateUser(deps: UsersDeps, input: BodyOutput<typeof updateUserEndpoint>, ctx: SignedInContext) {
  await nameConflicts(
    deps.db.transaction().execute(async (db) => {
      const user = await lockUserAndAdmins(db, input.userID)
      await refuseStrongerRole(db, ctx.user, user.role_id)
      refuseStaleEdit(input.rev, user.rev)
      const roleChanges = input.role !== undefined && input.role !== user.role_id
      if (input.role !== undefined && roleChanges) {
        if (user.user_id === ctx.user.userID) throw badField('role', '不能更换自己的角色')
        await requireRole(db, input.role)
        await refuseStrongerRole(db, ctx.user, input.role)
        if (user.role_id === BuiltInRole.admin) await refuseLosingLastAdmin(db, user.user_id)
      }
      await db
        .updateTable('app_user')
        .set({
          ...profileChanges({ ...input, nickName: asStored(input.nickName, user) }),
          ...(input.userName ? { user_name: input.userName } : {}),
          ...(input.role ? { role_id: input.role } : {}),
          rev: sql`rev + 1`,
        })
        .where('user_id', '=', user.user_id)
        .execute()
    }),
  )
  // A new role counts from the next call on, without a new sign-in.
  await deps.signal.send('access.user', { userID: input.userID })
}
