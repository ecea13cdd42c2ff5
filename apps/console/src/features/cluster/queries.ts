import { drainServer, readCluster, restoreServer } from '@ithings/contract/features/cluster.ts'
import { useChange } from '#api/use-change.ts'

export function useServerWork() {
  const drain = useChange(drainServer, [readCluster], true)
  const restore = useChange(restoreServer, [readCluster], true)
  return { drain: drain.mutateAsync, restore: restore.mutateAsync }
}
