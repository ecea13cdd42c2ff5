/** http-api.md 2.2: the role's menus plus missing parents; admin sees all. */
import { type Menu, rootMenuID } from '@ithings/contract/features/menus.ts'
import { BuiltInRole, EnabledStatus } from '@ithings/contract/features/users.ts'
import type { Db } from '#db/schema.ts'
import { type MenuRow, toMenu } from './menu-wire.ts'

function withParents(granted: ReadonlySet<number>, all: MenuRow[]): MenuRow[] {
  const byID = new Map(all.map((row) => [row.id, row]))
  const kept = new Set<number>()
  for (const id of granted) {
    for (let row = byID.get(id); row && !kept.has(row.id); row = byID.get(row.parent_id)) {
      kept.add(row.id)
      if (row.parent_id === rootMenuID) break
    }
  }
  return all.filter((row) => kept.has(row.id))
}

export async function menusOfRole(db: Db, roleID: number): Promise<Menu[]> {
  const all = await db.selectFrom('menu').selectAll().orderBy('sort_order').orderBy('id').execute()
  if (roleID === BuiltInRole.admin) return all.map(toMenu)
  const granted = await db
    .selectFrom('role_menu')
    .innerJoin('role', 'role.id', 'role_menu.role_id')
    .select('menu_id')
    .where('role_id', '=', roleID)
    .where('role.status', '=', EnabledStatus.enabled)
    .execute()
  return withParents(new Set(granted.map((row) => row.menu_id)), all).map(toMenu)
}
