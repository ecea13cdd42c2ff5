import { readCluster, restoreServer } from '@ithings/contract/features/cluster.ts'
import type { World } from './world.ts'

/**
 * Three beats of the other servers are missed, and this one looks at once. It has to be one that judges others from its
 * start on (`steadyMs: 0`), and they have to be closed: whoever lives writes itself down again.
 */
export async function missOthers(world: World): Promise<void> {
  const { serverID } = await world.asAdmin(readCluster)
  await world.db.updateTable('platform_server').set({ seen_at: 0 }).where('server_id', '<>', serverID).execute()
  // Nothing is taken back, but it beats when it is told so.
  await world.asAdmin(restoreServer, { serverID })
}
