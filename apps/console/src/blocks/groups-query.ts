import { listGroups } from '@ithings/contract/features/groups.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** `listAll` is the whole tree; the page beside it is not needed. */
export const allGroupsQuery = queryOptions({
  queryKey: [listGroups.path, 'all'],
  queryFn: async ({ signal }) => (await call(listGroups, { page: { page: 1, size: 1 } }, { signal })).listAll,
})
