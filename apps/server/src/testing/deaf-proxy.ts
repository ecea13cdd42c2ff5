/** A way to the database on which an answer can get lost: it works on, and whoever asked does not hear of it. */
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'

export interface DeafProxy {
  url: string
  /** The connection that is first to send this text hears nothing any more; '': nobody is concerned. */
  loses: string
  close(): Promise<void>
}

/** @param passes is told of everything that is sent to the database */
export async function openDeafProxy(databaseUrl: string, passes?: (sent: string) => void): Promise<DeafProxy> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    let isDeaf = false
    near.on('data', (chunk) => {
      if (proxy.loses !== '' && chunk.includes(proxy.loses)) {
        isDeaf = true
        proxy.loses = ''
      }
      passes?.(chunk.toString())
      far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (!isDeaf) near.write(chunk)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  const own = typeof at === 'object' && at ? at.port : 0
  const who = [user, password].map((text) => encodeURIComponent(text ?? '')).join(':')
  const proxy: DeafProxy = {
    url: `postgres://${who}@127.0.0.1:${own}/${database}`,
    loses: '',
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
