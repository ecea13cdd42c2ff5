import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listLoginLogs, listOperationLogs } from '@ithings/contract/features/logs.ts'
import { listRoles } from '@ithings/contract/features/roles.ts'
import { resetSecondFactor } from '@ithings/contract/features/second-factor.ts'
import { endUserSessions } from '@ithings/contract/features/sessions.ts'
import {
  createUser,
  deleteUser,
  type EnabledStatus,
  listUsers,
  readResources,
  readUser,
  resetPassword,
  updateUser,
  updateUserStatus,
} from '@ithings/contract/features/users.ts'
import { infiniteQueryOptions, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { sessionQuery } from '#api/session-query.ts'
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
const refresh = (client: QueryClient) =>
  Promise.all(
    [listUsers.path, readUser.path, listRoles.path, readResources.path].map((path) =>
      client.invalidateQueries({ queryKey: [path] }),
    ),
  )

/** Forms and dialogs show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

export function useCreateUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyInput<typeof createUser>) => call(createUser, body, quiet),
    onSuccess: () => refresh(client),
  })
}

export function useUpdateUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyInput<typeof updateUser>) => call(updateUser, body, quiet),
    onSuccess: () => refresh(client),
  })
}

export function useDeleteUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (userID: string) => call(deleteUser, { userID }, quiet),
    onSuccess: () => refresh(client),
  })
}

export function useEndUserSessions() {
  return useMutation({ mutationFn: (userID: string) => call(endUserSessions, { userID }, quiet) })
}

export function useResetSecondFactor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (userID: string) => call(resetSecondFactor, { userID }, quiet),
    onSuccess: () => refresh(client),
  })
}

export function useUserStatus() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: { userID: string; status: EnabledStatus }) => call(updateUserStatus, change, quiet),
    onSuccess: () => refresh(client),
  })
}

export function useResetPassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyInput<typeof resetPassword>) => call(resetPassword, body, quiet),
    onSuccess: () => refresh(client),
  })
}
