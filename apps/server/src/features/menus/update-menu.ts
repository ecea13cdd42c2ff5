import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { badField } from '@ithings/contract/errors.ts'
import { type updateMenu as endpoint, MenuType } from '@ithings/contract/features/menus.ts'
import { sql } from 'kysely'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import { childrenOf, findMenu, refuseCycle, refuseDuplicatePath, requireParent, toParentID } from './menu-rules.ts'
import type { MenuRow } from './menu-wire.ts'
import { asStored, menuText } from './menu-words.ts'
import type { MenusDeps } from './menus-deps.ts'
import { lockMenus } from './store.ts'

type Input = BodyOutput<typeof endpoint>

/** Absent fields stay as they are; 0 is "not given" for type and hideInMenu. */
const changed = (input: Input, menu: MenuRow) => ({
  parent_id: toParentID(input.parentID),
  name: asStored(input.name, menu.name),
  name_en: input.nameEn ?? menu.name_en,
  type: input.type || menu.type,
  path: input.path ?? menu.path,
  component: input.component ?? menu.component,
  icon: input.icon ?? menu.icon,
  redirect: input.redirect ?? menu.redirect,
  sort_order: input.order,
  hide_in_menu: input.hideInMenu || menu.hide_in_menu,
})

export async function updateMenu(deps: MenusDeps, input: Input) {
  await deps.db.transaction().execute(async (db) => {
    const all = await lockMenus(db)
    const menu = findMenu(all, input.id)
    refuseStaleEdit(input.rev, menu.rev)
    const next = changed(input, menu)
    requireParent(all, next.parent_id)
    refuseCycle(all, menu, next.parent_id)
    refuseDuplicatePath(all, { id: menu.id, ...next })
    if (next.type === MenuType.button && childrenOf(all, menu.id).length > 0) {
      throw badField('type', '菜单「{name}」还有下级，不能改为按钮', { name: menuText(menu.name) })
    }
    await db
      .updateTable('menu')
      .set({ ...next, rev: sql`rev + 1` })
      .where('id', '=', menu.id)
      .execute()
  })
  await deps.signal.send('access.role', { roleID: 0 })
}
