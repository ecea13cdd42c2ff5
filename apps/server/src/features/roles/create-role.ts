import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { createRole as endpoint } from '@ithings/contract/features/roles.ts'
import type { RolesDeps } from './roles-deps.ts'
import { nameConflict } from './store.ts'

/** A new role holds nothing until somebody gives it menus and APIs. */
export async function createRole({ db, signal }: RolesDeps, input: BodyOutput<typeof endpoint>) {
  const role = await nameConflict(
    input.name,
    db
      .insertInto('role')
      .values({
        name: input.name,
        ...(input.remark !== undefined ? { remark: input.remark } : {}),
        ...(input.status !== undefined ? { status: input.status } : {}),
        ...(input.secondFactor !== undefined ? { second_factor: input.secondFactor } : {}),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await signal.send('access.role', { roleID: role.id })
  return { id: role.id }
}
