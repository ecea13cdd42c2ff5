import * as contract from '@ithings/contract/features/cluster.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { ClusterDeps } from './cluster-deps.ts'
import { drainServer, restoreServer } from './drain-server.ts'
import { readCluster } from './read-cluster.ts'

export const clusterRoutes = (deps: ClusterDeps): MountedEndpoint[] => [
  on(contract.readCluster, () => readCluster(deps)),
  on(contract.drainServer, (input) => drainServer(deps, input)),
  on(contract.restoreServer, (input) => restoreServer(deps, input)),
]
