import * as contract from '@ithings/contract/features/menus.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { createMenu } from './create-menu.ts'
import { deleteMenu } from './delete-menu.ts'
import { listMenus } from './list-menus.ts'
import type { MenusDeps } from './menus-deps.ts'
import { updateMenu } from './update-menu.ts'

export const menusRoutes = (deps: MenusDeps): MountedEndpoint[] => [
  on(contract.createMenu, (input) => createMenu(deps, input)),
  on(contract.updateMenu, (input) => updateMenu(deps, input)),
  on(contract.listMenus, (input) => listMenus(deps.db, input)),
  on(contract.deleteMenu, (input) => deleteMenu(deps, input)),
]
