import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { cancelJob, listJobs, readJob, retryJob } from '@ithings/contract/features/jobs.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { readAgain } from '#api/use-change.ts'
import { isUnfinished } from '#blocks/job-progress.tsx'
import { refreshInterval } from '#kit/auto-refresh.tsx'
import { useMemo } from '#language/use-memo.ts'

/** Read again every 5 s while something on the page still runs. */
export const jobsQuery = (body: BodyInput<typeof listJobs>) =>
  queryOptions({
    ...endpointQuery(listJobs, body),
    refetchInterval: ({ state }) => (state.data?.list.some(isUnfinished) ? refreshInterval : false),
  })

export function useJobWork() {
  const client = useQueryClient()
  return useMemo(() => {
    const refresh = () => readAgain(client, [listJobs, readJob])
    return {
      cancel: (jobID: string) => call(cancelJob, { jobID }, { quiet: true }).then(refresh),
      retry: (jobID: string) => call(retryJob, { jobID }, { quiet: true }).then(refresh),
    }
  }, [client])
}
