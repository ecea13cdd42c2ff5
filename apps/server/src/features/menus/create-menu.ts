import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { type createMenu as endpoint, HideInMenu, MenuType } from '@ithings/contract/features/menus.ts'
import { refuseDuplicatePath, requireParent, toParentID } from './menu-rules.ts'
import type { MenusDeps } from './menus-deps.ts'
import { lockMenus } from './store.ts'

/** Admin sees a new entry at once, other roles after it was given to them. */
export async function createMenu(deps: MenusDeps, input: BodyOutput<typeof endpoint>) {
  const path = input.path ?? ''
  const fields = {
    parent_id: toParentID(input.parentID),
    name: input.name,
    name_en: input.nameEn ?? '',
    // Without a type: what leads somewhere is a page, the rest holds other entries.
    type: input.type || (path === '' ? MenuType.directory : MenuType.page),
    path,
    component: input.component ?? '',
    icon: input.icon ?? '',
    redirect: input.redirect ?? '',
    sort_order: input.order ?? 1,
    hide_in_menu: input.hideInMenu || HideInMenu.show,
  }
  const made = await deps.db.transaction().execute(async (db) => {
    const all = await lockMenus(db)
    requireParent(all, fields.parent_id)
    refuseDuplicatePath(all, fields)
    return db.insertInto('menu').values(fields).returning('id').executeTakeFirstOrThrow()
  })
  await deps.signal.send('access.role', { roleID: 0 })
  return { id: made.id }
}
