import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listLoginLogs, listOperationLogs } from '@ithings/contract/features/logs.ts'
import { removeUserPasskeys } from '@ithings/contract/features/passkeys.ts'
import { listRoles } from '@ithings/contract/features/roles.ts'
import { resetSecondFactor } from '@ithings/contract/features/second-factor.ts'
import { endUserSessions } from '@ithings/contract/features/sessions.ts'
import {
  createUser,
  deleteUser,
  listUsers,
  readResources,
  readUser,
  resetPassword,
  updateUser,
  updateUserStatus,
} from '@ithings/contract/features/users.ts'
import { infiniteQueryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { sessionQuery } from '#api/session-query.ts'
import { useChange } from '#api/use-change.ts'
import { fallbackRoleName } from './labels.ts'

export const usersQuery = (body: BodyInput<typeof listUsers>) => endpointQuery(listUsers, body)

export const userQuery = (userID: string) => endpointQuery(readUser, { userID })

/** Without paging the platform answers all roles there can be on a screen (2,000). */
export const rolesQuery = endpointQuery(listRoles, {})

export function useRoleNames(): (role: number) => string {
  const { data } = useQuery(rolesQuery)
  return (role) => data?.list.find((one) => one.id === role)?.name ?? fallbackRoleName(role)
}

/** Who is signed in: some actions are not for oneself. */
export const useOwnID = (): string | undefined => useQuery(sessionQuery).data?.info.userID

const logPage = 20
const nextPage = (last: { total: number }, pages: unknown[]) =>
  pages.length * logPage < last.total ? pages.length + 1 : undefined

export const signInHistoryQuery = (userID: string) =>
  infiniteQueryOptions({
    queryKey: [listLoginLogs.path, 'of-user', userID],
    queryFn: ({ pageParam, signal }) =>
      call(listLoginLogs, { userID, page: { page: pageParam, size: logPage } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  })

export const recentOperationsQuery = (userID: string) =>
  infiniteQueryOptions({
    queryKey: [listOperationLogs.path, 'of-user', userID],
    queryFn: ({ pageParam, signal }) =>
      call(listOperationLogs, { userID, page: { page: pageParam, size: logPage } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  })

/** Members are counted per role, and oneself may be among the changed. */
const touched = [listUsers, readUser, listRoles, readResources]

export const useCreateUser = () => useChange(createUser, touched)
export const useUpdateUser = () => useChange(updateUser, touched)
export const useDeleteUser = () => useChange(deleteUser, touched)
export const useEndUserSessions = () => useChange(endUserSessions, [])
export const useResetSecondFactor = () => useChange(resetSecondFactor, touched)
export const useRemoveUserPasskeys = () => useChange(removeUserPasskeys, touched)
export const useUserStatus = () => useChange(updateUserStatus, touched)
export const useResetPassword = () => useChange(resetPassword, touched)
