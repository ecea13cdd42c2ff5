import type { Menu } from '@ithings/contract/features/menus.ts'
import { toSeconds } from '@ithings/contract/wire.ts'
import type { Selectable } from 'kysely'
import type { MenuTable } from '#db/tables/menus.ts'
import { menuText } from './menu-words.ts'

export type MenuRow = Selectable<MenuTable>

export const toMenu = (row: MenuRow): Menu => ({
  id: row.id,
  name: menuText(row.name),
  ...(row.name_en !== '' && { nameEn: row.name_en }),
  parentID: row.parent_id,
  type: row.type,
  path: row.path,
  component: row.component,
  icon: row.icon,
  redirect: row.redirect,
  order: row.sort_order,
  createTime: toSeconds(row.created_at),
  hideInMenu: row.hide_in_menu,
  rev: row.rev,
})
