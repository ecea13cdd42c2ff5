import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { createApi, deleteApi, listApis, updateApi } from '@ithings/contract/features/apis.ts'
import { maxPageSize } from '@ithings/contract/paging.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useReadAgain } from '#api/use-change.ts'
import type { ListPaging } from '#kit/list-page/list-contract.ts'
import { pageOfGroup } from './api-groups.ts'

export type ApiFilter = Omit<BodyInput<typeof listApis>, 'page'>

export const apisQuery = (page: ListPaging, filter: ApiFilter) =>
  queryOptions({
    queryKey: [listApis.path, { page, ...filter }],
    queryFn: async ({ signal }) => {
      if (!filter.group) return call(listApis, { page, ...filter }, { signal })
      // The platform takes a group as "contains"; a chosen group means that one alone, so its page is cut here.
      const wide = { ...page, page: 1, size: maxPageSize }
      const { list } = await call(listApis, { page: wide, ...filter }, { signal })
      return pageOfGroup(list, filter.group, page)
    },
  })

/** All of them: the groups with their counts, and the duplicate check of the form. The list tells about a failure. */
export const allApisQuery = endpointQuery(listApis, { page: { page: 1, size: maxPageSize } }, { quiet: true })

export const useApisChanged = () => useReadAgain([listApis])

// Forms and dialogs show refusals themselves, so these calls are quiet.
export const postApi = (body: BodyInput<typeof createApi>) => call(createApi, body, { quiet: true })
export const putApi = (body: BodyInput<typeof updateApi>) => call(updateApi, body, { quiet: true })
export const dropApi = (id: number) => call(deleteApi, { id }, { quiet: true })
