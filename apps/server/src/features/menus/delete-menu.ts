import { errors, refusal } from '@ithings/contract/errors.ts'
import { childrenOf, findMenu } from './menu-rules.ts'
import { menuText } from './menu-words.ts'
import type { MenusDeps } from './menus-deps.ts'
import { lockMenus } from './store.ts'

/** The grants of roles go with the entry. */
export async function deleteMenu(deps: MenusDeps, input: { id: number }) {
  await deps.db.transaction().execute(async (db) => {
    const all = await lockMenus(db)
    const menu = findMenu(all, input.id)
    const children = childrenOf(all, menu.id)
    if (children.length > 0) {
      throw refusal(errors.notEmpty, '菜单「{name}」还有 {count} 个下级，请先删除它们', {
        name: menuText(menu.name),
        count: children.length,
      })
    }
    await db.deleteFrom('menu').where('id', '=', menu.id).execute()
  })
  await deps.signal.send('access.role', { roleID: 0 })
}
