import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { updateSelf as endpoint } from '@ithings/contract/features/users.ts'
import { sql } from 'kysely'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { asStored } from './first-account.ts'
import { lockUser, nameConflicts, profileChanges } from './store.ts'
import type { UsersDeps } from './users-deps.ts'

export async function updateSelf(deps: UsersDeps, input: BodyOutput<typeof endpoint>, ctx: SignedInContext) {
  await nameConflicts(
    deps.db.transaction().execute(async (db) => {
      const user = await lockUser(db, ctx.user.userID)
      refuseStaleEdit(input.rev, user.rev)
      await db
        .updateTable('app_user')
        .set({ ...profileChanges({ ...input, nickName: asStored(input.nickName, user) }), rev: sql`rev + 1` })
        .where('user_id', '=', user.user_id)
        .execute()
    }),
  )
  await deps.signal.send('access.user', { userID: ctx.user.userID })
}
