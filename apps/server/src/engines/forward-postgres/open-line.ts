/** One connection to the database of somebody else, only where the guard lets it. */
import { Socket } from 'node:net'
import type { SettingsOf } from '@ithings/contract/features/forwarding/targets.ts'
import pg from 'pg'
import { checkAddress } from '#engines/forward-shared/reach.ts'
import type { ForwardTools } from '#ports/forward-target.ts'

export interface DatabaseLine {
  client: pg.Client
  /** At once, whatever is under way. */
  cut(): void
}

/** node-postgres tells its socket where to go by `connect(port, host)`: the name is looked up by the guard. */
function guardedSocket({ guard }: ForwardTools): Socket {
  const socket = new Socket()
  const go = socket.connect.bind(socket)
  const connect = (port: number, host: string): Socket => go({ port, host, lookup: guard.lookup })
  return Object.assign(socket, { connect })
}

export async function openLine(
  settings: SettingsOf<'postgres'>,
  tools: ForwardTools,
  signal: AbortSignal,
): Promise<DatabaseLine> {
  const { host, port, database, username, password, tls, ca } = settings
  // node-postgres takes a path for a socket of this machine.
  if (host.includes('/')) throw new Error(`not a host: ${host}`)
  checkAddress(tools.guard, host)
  const socket = guardedSocket(tools)
  const client = new pg.Client({
    ...{ host, port, database, user: username, password, application_name: 'ithings-core forward' },
    ...{
      stream: () => socket,
      keepAlive: true,
      connectionTimeoutMillis: tools.timeoutMs,
      query_timeout: tools.timeoutMs,
    },
    ssl: tls && { rejectUnauthorized: true, ...(ca !== '' && { ca }) },
  })
  // Whoever asks next hears of it.
  client.on('error', () => socket.destroy())
  const cut = () => void socket.destroy()
  signal.addEventListener('abort', cut)
  try {
    await client.connect()
  } catch (error) {
    cut()
    throw error
  } finally {
    signal.removeEventListener('abort', cut)
  }
  return { client, cut }
}
