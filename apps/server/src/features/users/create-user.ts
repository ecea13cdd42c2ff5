import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { createUser as createUserEndpoint } from '@ithings/contract/features/users.ts'
import { toStr } from '@ithings/contract/wire.ts'
import { refuseStrongerRole } from '#features/roles/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { hashPassword } from './password.ts'
import { nameConflicts, profileChanges, requireRole } from './store.ts'
import type { UsersDeps } from './users-deps.ts'

export async function createUser(
  { db }: UsersDeps,
  input: BodyOutput<typeof createUserEndpoint>,
  ctx: SignedInContext,
) {
  await requireRole(db, input.role)
  await refuseStrongerRole(db, ctx.user, input.role)
  const row = await nameConflicts(
    db
      .insertInto('app_user')
      .values({
        ...profileChanges(input),
        user_name: input.userName,
        password_hash: await hashPassword(input.password),
        role_id: input.role,
        reg_ip: ctx.ip,
        ...(input.status ? { status: input.status } : {}),
      })
      .returning('user_id')
      .executeTakeFirstOrThrow(),
  )
  return { userID: toStr(row.user_id) }
}
