/** HTTP requests that become something else (WebSocket): one place that sends each to its owner. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

const notFound = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** @param handlers by exact path, like /mqtt */
export function installUpgrades(server: Pick<Server, 'on'>, handlers: Readonly<Record<string, UpgradeHandler>>): void {
  const byPath = new Map(Object.entries(handlers))
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const handler = byPath.get(request.url?.split('?', 1)[0] ?? '')
    if (handler) {
      handler(request, socket, head)
      return
    }
    socket.on('error', () => socket.destroy())
    // Nobody reads what else it sends: it ends with the answer.
    socket.end(notFound, () => socket.destroy())
  })
}
