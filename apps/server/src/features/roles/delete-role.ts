import { errors, refusal } from '@ithings/contract/errors.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { refuseStrongerRole } from './own-rights.ts'
import { roleText } from './role-words.ts'
import type { RolesDeps } from './roles-deps.ts'
import { lockRole } from './store.ts'

/** Its menus and APIs go with it; its users must have moved before. */
export async function deleteRole(deps: RolesDeps, input: { id: number }, caller: SignedInUser) {
  await deps.db.transaction().execute(async (db) => {
    const role = await lockRole(db, input.id)
    await refuseStrongerRole(db, caller, role.id)
    if (role.built_in)
      throw refusal(errors.parameter, '内置角色「{name}」不能删除', { name: roleText(role.name, role.built_in) })
    // The lock above makes a user that is being created in this role wait for us.
    const { users } = await db
      .selectFrom('app_user')
      .select((eb) => eb.fn.countAll<number>().as('users'))
      .where('role_id', '=', role.id)
      .executeTakeFirstOrThrow()
    if (users > 0) {
      throw refusal(errors.notEmpty, '角色「{name}」还有 {count} 个用户，请先更换他们的角色', {
        name: role.name,
        count: users,
      })
    }
    const { keys } = await db
      .selectFrom('api_key')
      .select((eb) => eb.fn.countAll<number>().as('keys'))
      .where('role_id', '=', role.id)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (keys > 0) {
      throw refusal(errors.notEmpty, '角色「{name}」还有 {count} 个服务账号密钥，请先撤销它们', {
        name: role.name,
        count: keys,
      })
    }
    await db.deleteFrom('api_key').where('role_id', '=', role.id).execute()
    await db.deleteFrom('role').where('id', '=', role.id).execute()
  })
  await deps.signal.send('access.role', { roleID: input.id })
}
