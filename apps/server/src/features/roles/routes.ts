import * as contract from '@ithings/contract/features/roles.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { createRole } from './create-role.ts'
import { deleteRole } from './delete-role.ts'
import { listRoleApis } from './list-role-apis.ts'
import { listRoles } from './list-roles.ts'
import type { RolesDeps } from './roles-deps.ts'
import { updateRole } from './update-role.ts'
import { updateRoleApis } from './update-role-apis.ts'
import { updateRoleMenus } from './update-role-menus.ts'
import { viewRole } from './view-role.ts'

export const rolesRoutes = (deps: RolesDeps): MountedEndpoint[] => [
  on(contract.createRole, (input) => createRole(deps, input)),
  on(contract.updateRole, (input, ctx) => updateRole(deps, input, ctx.user)),
  on(contract.listRoles, (input) => listRoles(deps.db, input)),
  on(contract.deleteRole, (input, ctx) => deleteRole(deps, input, ctx.user)),
  on(contract.updateRoleMenus, (input, ctx) => updateRoleMenus(deps, input, ctx.user)),
  on(contract.updateRoleApis, (input, ctx) => updateRoleApis(deps, input, ctx.user)),
  on(contract.listRoleApis, (input) => listRoleApis(deps.db, input)),
  on(contract.viewRole, (input) => viewRole(deps, input)),
]
