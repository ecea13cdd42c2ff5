/** What whoever starts a server should know about its database: what an acknowledgement means, and whether it has room. */
import { Durability } from '@ithings/contract/features/cluster.ts'
import { livingServers } from '#features/devices/door.ts'
import type { ClusterDeps } from './cluster-deps.ts'
import { durabilityWords } from './durability.ts'
import { readDatabase } from './read-database.ts'

interface Log {
  info(context: object, text: string): void
  warn(context: object, text: string): void
}

type Checked = Pick<ClusterDeps, 'db' | 'serverID' | 'alone'>

const good: readonly number[] = [Durability.one, Durability.two]

/** @param own connections that this server may open */
export async function checkDatabase({ db, serverID, alone }: Checked, own: number, log: Log): Promise<void> {
  const { durability, maxConnections, standbyCount } = await readDatabase(db, alone)
  const words = durabilityWords[durability as Durability]
  if (good.includes(durability)) log.info({ standbys: standbyCount }, words)
  else log.warn({ standbys: standbyCount }, words)
  const others = (await livingServers(db)).filter(({ server_id }) => server_id !== serverID)
  // One of an older version does not tell how many it opens.
  const needed = others.reduce((sum, { facts }) => sum + (facts.databaseConnections ?? own), own)
  if (needed > maxConnections)
    log.warn(
      { needed, available: maxConnections, servers: others.length + 1 },
      `the servers on this database may open ${needed} connections, and PostgreSQL gives ${maxConnections}: raise max_connections or lower DATABASE_CONNECTIONS`,
    )
}
