import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { createApi, deleteApi, listApis, updateApi } from '@ithings/contract/features/apis.ts'
import { maxPageSize } from '@ithings/contract/paging.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'

export type ApiFilter = Omit<BodyInput<typeof listApis>, 'page'>

export const apisQuery = (body: BodyInput<typeof listApis>) =>
  queryOptions({
    queryKey: [listApis.path, body],
    queryFn: ({ signal }) => call(listApis, body, { signal }),
  })

/** All of them: the groups with their counts, and the duplicate check of the form. The list tells about a failure. */
export const allApisQuery = queryOptions({
  queryKey: [listApis.path, 'all'],
  queryFn: ({ signal }) => call(listApis, { page: { page: 1, size: maxPageSize } }, { quiet: true, signal }),
})

export function useApisChanged(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: [listApis.path] })
}

// Forms and dialogs show refusals themselves, so these calls are quiet.
export const postApi = (body: BodyInput<typeof createApi>) => call(createApi, body, { quiet: true })
export const putApi = (body: BodyInput<typeof updateApi>) => call(updateApi, body, { quiet: true })
export const dropApi = (id: number) => call(deleteApi, { id }, { quiet: true })
