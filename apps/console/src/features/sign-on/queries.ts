import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listRoles } from '@ithings/contract/features/roles.ts'
import {
  createProvider,
  deleteProvider,
  linkIdentity,
  listIdentities,
  listProviders,
  readProvider,
  testProvider,
  unlinkIdentity,
  updateProvider,
} from '@ithings/contract/features/sign-on.ts'
import { listUsers } from '@ithings/contract/features/users.ts'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useChange } from '#api/use-change.ts'
import type { PickerSource } from '#kit/remote-picker.tsx'

export const providersQuery = (body: BodyInput<typeof listProviders>) => endpointQuery(listProviders, body)
export const identitiesQuery = (body: BodyInput<typeof listIdentities>) => endpointQuery(listIdentities, body)

/** Without paging the platform answers all roles there can be on a screen. */
export const rolesQuery = endpointQuery(listRoles, {})

export const userSource: PickerSource = {
  key: [listUsers.path],
  search: async ({ text, page, size }) => {
    const { list, total } = await call(listUsers, { userName: text, page: { page, size } })
    return {
      total,
      list: list.map(({ userID, userName, nickName }) => ({ value: userID, label: userName, hint: nickName })),
    }
  },
}

const touched = [listProviders, readProvider]
export const useCreateProvider = () => useChange(createProvider, touched)
export const useUpdateProvider = () => useChange(updateProvider, touched, true)
export const useDeleteProvider = () => useChange(deleteProvider, [listProviders], true)
export const useTestProvider = () => useChange(testProvider, [])
export const useLinkIdentity = () => useChange(linkIdentity, [...touched, listIdentities])
export const useUnlinkIdentity = () => useChange(unlinkIdentity, [...touched, listIdentities], true)
