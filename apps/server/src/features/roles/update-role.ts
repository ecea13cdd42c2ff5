import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { badField } from '@ithings/contract/errors.ts'
import type { updateRole as endpoint } from '@ithings/contract/features/roles.ts'
import { BuiltInRole, EnabledStatus } from '@ithings/contract/features/users.ts'
import { sql } from 'kysely'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { refuseStrongerRole } from './own-rights.ts'
import { asStored } from './role-words.ts'
import type { RolesDeps } from './roles-deps.ts'
import { lockRole, nameConflict } from './store.ts'

type Input = BodyOutput<typeof endpoint>

/** Consoles and people know role 1 by its name; without it nobody could administer. */
function refuseWeakeningAdmin(input: Input, name: string): void {
  if (input.id !== BuiltInRole.admin) return
  if (input.status === EnabledStatus.disabled) throw badField('status', '管理员角色不能禁用')
  if (input.name !== undefined && input.name !== name) throw badField('name', '管理员角色不能改名')
}

/** Absent fields stay as they are; a new status counts from the next call of its users on. */
export async function updateRole(deps: RolesDeps, input: Input, caller: SignedInUser) {
  await nameConflict(
    input.name ?? '',
    deps.db.transaction().execute(async (db) => {
      const role = await lockRole(db, input.id)
      await refuseStrongerRole(db, caller, role.id)
      refuseStaleEdit(input.rev, role.rev)
      refuseWeakeningAdmin(input, role.name)
      const { name, remark } = input
      await db
        .updateTable('role')
        .set({
          ...(name !== undefined ? { name: asStored(name, role.name) } : {}),
          ...(remark !== undefined ? { remark: asStored(remark, role.remark) } : {}),
          ...(input.status !== undefined ? { status: input.status } : {}),
          ...(input.secondFactor !== undefined ? { second_factor: input.secondFactor } : {}),
          rev: sql`rev + 1`,
        })
        .where('id', '=', role.id)
        .execute()
    }),
  )
  await deps.signal.send('access.role', { roleID: input.id })
}
