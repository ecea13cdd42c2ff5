import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listApis } from '@ithings/contract/features/apis.ts'
import { listMenus } from '@ithings/contract/features/menus.ts'
import {
  createRole,
  deleteRole,
  listRoleApis,
  listRoles,
  type Role,
  updateRole,
  updateRoleApis,
  updateRoleMenus,
} from '@ithings/contract/features/roles.ts'
import { listUsers, readResources } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { readAgain, useChange } from '#api/use-change.ts'
import { apiKeyOf, parseApiKey } from './api-selection.ts'
import { type Rights, sameSet } from './rights-diff.ts'

export const rolesQuery = (body: BodyInput<typeof listRoles>) => endpointQuery(listRoles, body)

/** Without paging the platform answers all roles there can be on a screen (2,000). */
export const allRolesQuery = rolesQuery({})

export const menusQuery = endpointQuery(listMenus, {})

export const apisQuery = endpointQuery(listApis, {})

export const roleApisQuery = (roleID: number) => endpointQuery(listRoleApis, { roleID })

export const membersQuery = (body: BodyInput<typeof listUsers>) => endpointQuery(listUsers, body)

export const rightsOf = (role: Role, apis: { route: string; method: number }[]): Rights => ({
  menus: new Set(role.roleMenuID),
  apis: new Set(apis.map(apiKeyOf)),
})

/** What the platform holds for the role now, whatever the cache says. */
export async function readRights(client: QueryClient, roleID: number): Promise<Rights> {
  const [roles, apis] = await Promise.all([
    client.fetchQuery({ ...allRolesQuery, staleTime: 0 }),
    client.fetchQuery({ ...roleApisQuery(roleID), staleTime: 0 }),
  ])
  const role = roles.list.find((one) => one.id === roleID)
  if (!role) throw new Error(t('这个角色已经被删除'))
  return rightsOf(role, apis.list)
}

/** Forms and dialogs show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

export const useSaveRole = () => useChange(updateRole, [listRoles, listApis, readResources], true)
export const useCreateRole = () => useChange(createRole, [listRoles], true)
export const useDeleteRole = () => useChange(deleteRole, [listRoles, listApis], true)

async function writeRights(id: number, before: Rights, after: Rights): Promise<void> {
  if (!sameSet(before.menus, after.menus)) await call(updateRoleMenus, { id, menuID: [...after.menus] }, quiet)
  if (!sameSet(before.apis, after.apis)) {
    await call(updateRoleApis, { roleID: id, list: [...after.apis].map(parseApiKey) }, quiet)
  }
}

/** One save for menus and APIs; what did not change is not written. The sider follows through resource-read. */
export function useSaveRights() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (save: { id: number; before: Rights; after: Rights }) => writeRights(save.id, save.before, save.after),
    onSettled: () => readAgain(client, [listRoles, listRoleApis, listApis, readResources]),
  })
}

export interface CopiedRole {
  id: number
  /** The role was made, but its rights could not be copied. */
  failure?: unknown
}

/** Makes the role, then gives it what the source holds now. */
export function useCopyRole() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (copy: { source: number; name: string; remark?: string | undefined }): Promise<CopiedRole> => {
      const rights = await readRights(client, copy.source)
      const { id } = await call(createRole, { name: copy.name, remark: copy.remark }, quiet)
      try {
        await writeRights(id, { menus: new Set(), apis: new Set() }, rights)
        return { id }
      } catch (failure) {
        return { id, failure }
      }
    },
    onSettled: () => readAgain(client, [listRoles, listRoleApis, listApis]),
  })
}
