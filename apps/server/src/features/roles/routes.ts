import * as contract from '@ithings/contract/features/roles.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { createRole } from './create-role.ts'
import { deleteRole } from './delete-role.ts'
import { listRoleApis } from './list-role-apis.ts'
import { listRoles } from './list-roles.ts'
import type { RolesKit } from './roles-kit.ts'
import { updateRole } from './update-role.ts'
import { updateRoleApis } from './update-role-apis.ts'
import { updateRoleMenus } from './update-role-menus.ts'
import { viewRole } from './view-role.ts'

export const rolesRoutes = (kit: RolesKit): MountedEndpoint[] => [
  on(contract.createRole, (input) => createRole(kit, input)),
  on(contract.updateRole, (input, ctx) => updateRole(kit, input, ctx.user)),
  on(contract.listRoles, (input) => listRoles(kit.db, input)),
  on(contract.deleteRole, (input, ctx) => deleteRole(kit, input, ctx.user)),
  on(contract.updateRoleMenus, (input, ctx) => updateRoleMenus(kit, input, ctx.user)),
  on(contract.updateRoleApis, (input, ctx) => updateRoleApis(kit, input, ctx.user)),
  on(contract.listRoleApis, (input) => listRoleApis(kit.db, input)),
  on(contract.viewRole, (input) => viewRole(kit, input)),
]
