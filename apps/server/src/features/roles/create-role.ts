import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { createRole as endpoint } from '@ithings/contract/features/roles.ts'
import type { RolesKit } from './roles-kit.ts'
import { nameConflict } from './store.ts'

/** A new role holds nothing until somebody gives it menus and APIs. */
export async function createRole({ db, signal }: RolesKit, input: BodyOutput<typeof endpoint>) {
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
