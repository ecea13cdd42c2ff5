/** A way to somebody else's server that is looked at: how many connections there are, and answers that do not come. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface WatchedLine {
  port: number
  /** Of those that lead to it from here. */
  connections(): number
  /** What the server says is not passed on any more, on old connections and on new ones. */
  isDeaf: boolean
  close(): Promise<void>
}

export async function openWatchedLine(far: number): Promise<WatchedLine> {
  const pairs = new Map<Socket, Socket>()
  const server = createServer((near) => {
    const other = connect(far, '127.0.0.1')
    pairs.set(near, other)
    near.on('data', (chunk) => other.write(chunk))
    other.on('data', (chunk) => void (line.isDeaf || near.write(chunk)))
    near.on('error', () => other.destroy())
    other.on('error', () => near.destroy())
    near.on('close', () => {
      pairs.delete(near)
      other.destroy()
    })
    other.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  const line: WatchedLine = {
    port: typeof at === 'object' && at ? at.port : 0,
    connections: () => pairs.size,
    isDeaf: false,
    async close() {
      for (const near of pairs.keys()) near.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return line
}
