import { readCluster } from '@ithings/contract/features/cluster.ts'
import { queryOptions } from '@tanstack/react-query'
import { endpointQuery } from '#api/endpoint-query.ts'
import { refreshInterval } from '#kit/auto-refresh.tsx'

/** Servers tell about themselves every 5 s; so often it is read again. */
export const clusterQuery = queryOptions({ ...endpointQuery(readCluster, {}), refetchInterval: refreshInterval })
