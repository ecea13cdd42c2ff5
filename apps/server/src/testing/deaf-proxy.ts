/** A way to the database on which its answers can be kept back: it works on, and whoever asked does not hear of it. */
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'

export interface DeafProxy {
  url: string
  /** While it is true, answers to connections of the given application name are lost. */
  deaf: boolean
  close(): Promise<void>
}

/** @param name how the application name begins */
export async function openDeafProxy(databaseUrl: string, name: string): Promise<DeafProxy> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    let isMeant = false
    near.once('data', (start) => {
      isMeant = start.includes(name)
    })
    near.on('data', (chunk) => far.write(chunk))
    far.on('data', (chunk) => {
      if (!isMeant || !proxy.deaf) near.write(chunk)
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
    deaf: false,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
