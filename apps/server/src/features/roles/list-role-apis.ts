import { BuiltInRole } from '@ithings/contract/features/users.ts'
import type { Db } from '#db/schema.ts'
import { findRole } from './store.ts'

/** http-api.md 2.6; role 1 holds all that is registered. */
export async function listRoleApis(db: Db, input: { roleID: number }) {
  if (input.roleID === 0) return { list: [], total: 0 }
  const role = await findRole(db, input.roleID)
  const list =
    role.id === BuiltInRole.admin
      ? await db.selectFrom('api').select(['route', 'method']).orderBy('route').orderBy('method').execute()
      : await db
          .selectFrom('role_api')
          .select(['route', 'method'])
          .where('role_id', '=', role.id)
          .orderBy('route')
          .orderBy('method')
          .execute()
  return { list, total: list.length }
}
