/** How long a request may take: short for calls, by progress for large files, which do not hold the closing either. */
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Above what the console waits for (spec 9: 200000 ms), so that the client gives up first. */
const callMs = 210_000
/** A large file may take long, but not without a byte. */
const idleMs = 120_000
/** decisions.md 4.3: uploads too come to an end. 1,000 MB need 50 KB/s. */
export const longestBodyMs = 6 * 3600_000
/** Who was cut off goes on at the next server, from where it was. */
const closingMs = 2_000

/** A peer that neither sends nor takes a byte is gone; the next call of the connection starts without this limit. */
export function asTransfer({ raw, server }: FastifyRequest): void {
  const { socket } = raw
  if (!(socket instanceof Socket)) return
  socket.setTimeout(idleMs)
  server.transfers.add(socket)
  raw.once('close', () => server.transfers.delete(socket))
}

export function installTransfers(app: FastifyInstance): void {
  app.decorate('transfers', new Set<Socket>())
  app.addHook('onRequest', async (request) => {
    const { raw, routeOptions } = request
    const { headers } = raw
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (!hasBody) return
    if (routeOptions.config.slowBody) return asTransfer(request)
    const timer = setTimeout(() => {
      if (!raw.complete) raw.destroy()
    }, callMs).unref()
    raw.once('close', () => clearTimeout(timer))
  })
  app.addHook('preClose', async () => {
    setTimeout(() => {
      for (const socket of app.transfers) socket.destroy()
    }, closingMs).unref()
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Connections that carry a large file now. */
    transfers: Set<Socket>
  }
  interface FastifyContextConfig {
    /** Large files arrive here: there is no limit of the whole time, only of standing still. */
    slowBody?: boolean
  }
}
