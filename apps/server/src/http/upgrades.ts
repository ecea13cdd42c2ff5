/** HTTP requests that become something else (WebSocket): one place that sends each to its owner. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

const answer = (status: string) => `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy())
  // Nobody reads what else it sends: it ends with the answer.
  socket.end(answer(status), () => socket.destroy())
}

/**
 * Pages of other origins are refused, as CORS does it for calls; programs, which send no Origin, are not.
 * @param origins that are let in as well
 */
export function fromOwnPages(handler: UpgradeHandler, origins: readonly string[]): UpgradeHandler {
  return (request, socket, head) => {
    const { origin, host } = request.headers
    const isOwn = origin === undefined || origins.includes(origin) || URL.parse(origin)?.host === host
    if (isOwn) handler(request, socket, head)
    else refuse(socket, '403 Forbidden')
  }
}

/** @param handlers by exact path, like /mqtt */
export function installUpgrades(server: Pick<Server, 'on'>, handlers: Readonly<Record<string, UpgradeHandler>>): void {
  const byPath = new Map(Object.entries(handlers))
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const handler = byPath.get(request.url?.split('?', 1)[0] ?? '')
    if (handler) handler(request, socket, head)
    else refuse(socket, '404 Not Found')
  })
}
