import * as contract from '@ithings/contract/features/menus.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { createMenu } from './create-menu.ts'
import { deleteMenu } from './delete-menu.ts'
import { listMenus } from './list-menus.ts'
import type { MenusKit } from './menus-kit.ts'
import { updateMenu } from './update-menu.ts'

export const menusRoutes = (kit: MenusKit): MountedEndpoint[] => [
  on(contract.createMenu, (input) => createMenu(kit, input)),
  on(contract.updateMenu, (input) => updateMenu(kit, input)),
  on(contract.listMenus, (input) => listMenus(kit.db, input)),
  on(contract.deleteMenu, (input) => deleteMenu(kit, input)),
]
