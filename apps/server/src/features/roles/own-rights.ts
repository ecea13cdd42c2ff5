/** Nobody can make, change or become something that may do more than he may himself; administrators may do all. */

import { errors, refusal } from '@ithings/contract/errors.ts'
import { BuiltInRole } from '@ithings/contract/features/users.ts'
import type { Db } from '#db/schema.ts'
import type { SignedInUser } from '#http/request-context.ts'

interface ApiKey {
  route: string
  method: number
}

const apisOf = (db: Db, roleID: number): Promise<ApiKey[]> =>
  db.selectFrom('role_api').select(['route', 'method']).where('role_id', '=', roleID).execute()

const keyOf = ({ route, method }: ApiKey): string => `${method} ${route}`

/** For handing out APIs: each must be one's own. */
export async function refuseForeignApis(db: Db, caller: SignedInUser, apis: ApiKey[]): Promise<void> {
  if (caller.role === BuiltInRole.admin) return
  const own = new Set((await apisOf(db, caller.role)).map(keyOf))
  const foreign = apis.find((api) => !own.has(keyOf(api)))
  if (foreign) throw refusal(errors.permission, '不能授予自己没有的接口 {route}', { route: foreign.route })
}

/** For touching a user of that role, giving somebody the role, or changing the role itself. */
export async function refuseStrongerRole(db: Db, caller: SignedInUser, roleID: number): Promise<void> {
  if (caller.role === BuiltInRole.admin) return
  const own = new Set((await apisOf(db, caller.role)).map(keyOf))
  const stronger = roleID === BuiltInRole.admin || (await apisOf(db, roleID)).some((api) => !own.has(keyOf(api)))
  if (stronger) throw refusal(errors.permission, '不能管理权限大于自己的角色及其用户')
}
