/** http-api.md 2.2: the role's menus plus missing parents; admin sees all. */
import { type Menu, MenuType } from '@ithings/contract/features/menus.ts'
import { BuiltInRole, EnabledStatus } from '@ithings/contract/features/users.ts'
import type { Db } from '#db/schema.ts'
import { withAncestors } from './ancestors.ts'
import { type MenuRow, toMenu } from './menu-wire.ts'
import { readMenus } from './store.ts'

/**
 * Consoles that make their pages of the menu read `type` in their own way: 1 is a page or a group of pages, 2 a frame and
 * 3 a link, both of an address; without a component there is no page for them. A button grants a right and is no entry,
 * and nobody is led to what is not in the list.
 */
function toEntries(rows: readonly MenuRow[]): Menu[] {
  const paths = new Set(rows.map(({ path }) => path))
  return rows.map(toMenu).flatMap((menu) => {
    const redirect = paths.has(menu.redirect) ? menu.redirect : ''
    if (/^https?:/.test(menu.component)) return [{ ...menu, redirect }]
    return menu.type === MenuType.button ? [] : [{ ...menu, redirect, type: menu.component ? 1 : menu.type }]
  })
}

export async function menusOfRole(db: Db, roleID: number): Promise<Menu[]> {
  const all = await readMenus(db)
  if (roleID === BuiltInRole.admin) return toEntries(all)
  const granted = await db
    .selectFrom('role_menu')
    .innerJoin('role', 'role.id', 'role_menu.role_id')
    .select('menu_id')
    .where('role_id', '=', roleID)
    .where('role.status', '=', EnabledStatus.enabled)
    .execute()
  return toEntries(
    withAncestors(
      granted.map((row) => row.menu_id),
      all,
    ),
  )
}
