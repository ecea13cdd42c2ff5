import { readDemo, removeDemo } from '@ithings/contract/features/demo.ts'
import { BuiltInRole } from '@ithings/contract/features/users.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { sessionQuery } from '#api/session-query.ts'

/** Somebody else may have begun: looked at again while it comes or goes. */
const lookMs = 5_000

const demoQuery = queryOptions({
  ...endpointQuery(readDemo, {}, { quiet: true }),
  refetchInterval: ({ state }) => (state.data?.jobID ? lookMs : false),
})

/** How it stands; not asked for anybody but administrators. */
export function useDemo() {
  const { data: mine } = useQuery(sessionQuery)
  return useQuery({ ...demoQuery, enabled: mine?.info.role === BuiltInRole.admin })
}

export function useDemoWork() {
  const client = useQueryClient()
  return {
    remove: async () => {
      await call(removeDemo, {}, { quiet: true })
      await client.invalidateQueries({ queryKey: demoQuery.queryKey })
    },
    /** Lists, counters and screens everywhere show something else now. */
    changed: () => client.invalidateQueries(),
  }
}
