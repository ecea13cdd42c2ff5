import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { badField } from '@ithings/contract/errors.ts'
import type { updateRoleApis as endpoint } from '@ithings/contract/features/roles.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { refuseForeignApis, refuseStrongerRole } from './own-rights.ts'
import type { RolesDeps } from './roles-deps.ts'
import { lockRole, refuseAdminRights } from './store.ts'

const keyOf = (api: { route: string; method: number }): string => `${api.method} ${api.route}`

/** Replaces the whole set; what is new or gone counts from the next call on. */
export async function updateRoleApis(deps: RolesDeps, input: BodyOutput<typeof endpoint>, caller: SignedInUser) {
  refuseAdminRights(input.roleID, phrase('管理员角色始终拥有全部接口，不能修改'))
  await deps.db.transaction().execute(async (db) => {
    const role = await lockRole(db, input.roleID)
    await refuseStrongerRole(db, caller, role.id)
    await refuseForeignApis(db, caller, input.list)
    // Locked against deletion and renaming until the grant is stored.
    const registered = await db.selectFrom('api').select(['route', 'method']).forKeyShare().execute()
    const known = new Set(registered.map(keyOf))
    const chosen = new Map(input.list.map((api) => [keyOf(api), api]))
    for (const [key, api] of chosen) {
      if (known.has(key)) continue
      throw badField('list', '接口 {route}（请求方式 {method}）不存在', { route: api.route, method: api.method })
    }
    await db.deleteFrom('role_api').where('role_id', '=', role.id).execute()
    if (chosen.size > 0) {
      await db
        .insertInto('role_api')
        .values([...chosen.values()].map(({ route, method }) => ({ role_id: role.id, route, method })))
        .execute()
    }
  })
  await deps.signal.send('access.role', { roleID: input.roleID })
}
