import { type Cluster, type ClusterServer, ServerState } from '@ithings/contract/features/cluster.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import { livingServers, type ServerRow } from '#features/devices/door.ts'
import { findDisagreements } from './agreement.ts'
import type { ClusterDeps } from './cluster-deps.ts'
import { readDatabase } from './read-database.ts'

/** What was wished for counts until the server itself has told what became of it. */
function stateOf({ facts, drain }: ServerRow): ServerState {
  const told = facts.state ?? ServerState.serving
  if (told === ServerState.stopping) return told
  if (!drain) return ServerState.serving
  return told === ServerState.drained ? told : ServerState.draining
}

const toServer = (row: ServerRow): ClusterServer => {
  const { facts } = row
  return {
    serverID: row.server_id,
    node: facts.node ?? -1,
    name: facts.name ?? '',
    version: facts.version ?? '',
    state: stateOf(row),
    startedTime: toSecondsStr(facts.startedAt === undefined ? null : new Date(facts.startedAt)),
    devices: facts.devices ?? 0,
    messageRate: facts.messageRate ?? 0,
    memoryBytes: facts.memoryBytes ?? 0,
    signalLagMs: facts.signalLagMs ?? -1,
    databaseConnections: facts.databaseConnections ?? 0,
  }
}

export async function readCluster({ db, clock, serverID, alone, packedUntil }: ClusterDeps): Promise<Cluster> {
  const [rows, database, packed] = await Promise.all([livingServers(db), readDatabase(db, alone), packedUntil()])
  const list = rows.map(toServer).sort((a, b) => a.node - b.node)
  return {
    list,
    total: list.length,
    serverID,
    packBehindSeconds: Math.max(0, Math.round((clock.now() - packed) / 1000)),
    database,
    disagreements: findDisagreements(rows),
  }
}
