/** Sending the devices of a server to the others, and taking that back. The server itself reads its wish (heartbeat.ts). */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { type drainServer as drainEndpoint, ServerState } from '@ithings/contract/features/cluster.ts'
import { phrase } from '@ithings/contract/text.ts'
import { livingServers, type ServerRow } from '#features/devices/door.ts'
import type { ClusterDeps } from './cluster-deps.ts'

const takesDevices = ({ drain, facts }: ServerRow) => !drain && facts.state !== ServerState.stopping

async function wish({ db, signal }: ClusterDeps, serverID: string, drain: boolean): Promise<void> {
  await db.updateTable('platform_server').set({ drain }).where('server_id', '=', serverID).execute()
  await signal.send('server.drain', { serverID })
}

async function requireLiving(deps: ClusterDeps, serverID: string): Promise<ServerRow[]> {
  const living = await livingServers(deps.db)
  if (!living.some(({ server_id }) => server_id === serverID))
    throw refusal(errors.notFound, '没有这台服务器，或它已停止')
  return living
}

export async function drainServer(deps: ClusterDeps, { serverID, force }: BodyOutput<typeof drainEndpoint>) {
  const living = await requireLiving(deps, serverID)
  if (deps.alone)
    throw new AppError(errors.parameter, { msg: phrase('只有一台服务器（内置数据库），没有可以接收设备的服务器') })
  const others = living.filter((row) => row.server_id !== serverID && takesDevices(row))
  if (others.length === 0 && force !== true)
    throw new AppError(errors.parameter, {
      msg: phrase('没有其他服务器可以接收设备：排空后设备将无法连接，需要确认'),
      field: 'force',
    })
  await wish(deps, serverID, true)
}

export async function restoreServer(deps: ClusterDeps, { serverID }: { serverID: string }) {
  await requireLiving(deps, serverID)
  await wish(deps, serverID, false)
}
