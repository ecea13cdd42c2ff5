import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { badField } from '@ithings/contract/errors.ts'
import { rootMenuID } from '@ithings/contract/features/menus.ts'
import type { updateRoleMenus as endpoint } from '@ithings/contract/features/roles.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { refuseStrongerRole } from './own-rights.ts'
import type { RolesDeps } from './roles-deps.ts'
import { lockRole, refuseAdminRights } from './store.ts'

/** The chosen entries and every ancestor of theirs: a child without its parent could never be shown (screens.md 13). */
async function withAncestors(db: Db, chosen: number[]): Promise<number[]> {
  // Locked against deletion until the grant is stored.
  const all = await db.selectFrom('menu').select(['id', 'parent_id']).forKeyShare().execute()
  const parents = new Map(all.map((row) => [row.id, row.parent_id]))
  const unknown = chosen.filter((id) => !parents.has(id))
  if (unknown.length > 0) throw badField('menuID', '菜单 {ids} 不存在', { ids: unknown })
  const kept = new Set<number>()
  for (const id of chosen) {
    for (
      let at: number | undefined = id;
      at !== undefined && at !== rootMenuID && !kept.has(at);
      at = parents.get(at)
    ) {
      kept.add(at)
    }
  }
  return [...kept]
}

/** Replaces the whole set. */
export async function updateRoleMenus(deps: RolesDeps, input: BodyOutput<typeof endpoint>, caller: SignedInUser) {
  refuseAdminRights(input.id, phrase('管理员角色始终拥有全部菜单，不能修改'))
  await deps.db.transaction().execute(async (db) => {
    const role = await lockRole(db, input.id)
    await refuseStrongerRole(db, caller, role.id)
    // The root has no row of its own; trees that show it send it along.
    const chosen = [...new Set(input.menuID)].filter((id) => id !== rootMenuID)
    const menus = await withAncestors(db, chosen)
    await db.deleteFrom('role_menu').where('role_id', '=', role.id).execute()
    if (menus.length > 0) {
      await db
        .insertInto('role_menu')
        .values(menus.map((menu_id) => ({ role_id: role.id, menu_id })))
        .execute()
    }
  })
  await deps.signal.send('access.role', { roleID: input.id })
}
