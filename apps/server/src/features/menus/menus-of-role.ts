/** http-api.md 2.2: the role's menus plus missing parents; admin sees all. */
import type { Menu } from '@ithings/contract/features/menus.ts'
import { BuiltInRole, EnabledStatus } from '@ithings/contract/features/users.ts'
import type { Db } from '#db/schema.ts'
import { withAncestors } from './ancestors.ts'
import { toMenu } from './menu-wire.ts'
import { readMenus } from './store.ts'

export async function menusOfRole(db: Db, roleID: number): Promise<Menu[]> {
  const all = await readMenus(db)
  if (roleID === BuiltInRole.admin) return all.map(toMenu)
  const granted = await db
    .selectFrom('role_menu')
    .innerJoin('role', 'role.id', 'role_menu.role_id')
    .select('menu_id')
    .where('role_id', '=', roleID)
    .where('role.status', '=', EnabledStatus.enabled)
    .execute()
  return withAncestors(
    granted.map((row) => row.menu_id),
    all,
  ).map(toMenu)
}
