import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listSceneLogs, scenesTopic } from '@ithings/contract/features/scenes/log.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { type LiveQueries, useLive, useLivePolling } from '#api/live.ts'

type Wanted = Omit<BodyInput<typeof listSceneLogs>, 'page'>

/** Grows on scrolling; the newest first. */
export const runPagesQuery = (wanted: Wanted, size: number) =>
  infiniteQueryOptions({
    queryKey: [listSceneLogs.path, wanted, size],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      call(listSceneLogs, { ...wanted, page: { page: pageParam, size } }, { quiet: true, signal }),
    getNextPageParam: (last, pages) =>
      last.list.length > 0 && pages.length * size < last.total ? pages.length + 1 : undefined,
  })

export const latestRunsQuery = (sceneID: number, size: number) => {
  const body = { sceneID, page: { page: 1, size } }
  return endpointQuery(listSceneLogs, body, { quiet: true })
}

const queries: LiveQueries = { log: [[listSceneLogs.path]] }

/**
 * Runs appear and end by themselves.
 * @returns how often to ask without being told
 */
export function useRunsLive(): number {
  useLive(scenesTopic, queries)
  return useLivePolling()
}
