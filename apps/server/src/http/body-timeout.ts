/** How long a request may take to arrive: short for calls, by progress for uploads. */
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Above what the console waits for (spec 9: 200000 ms), so that the client gives up first. */
const callMs = 210_000
/** A large file may take long, but not without a byte. */
const idleMs = 120_000
/** decisions.md 4.3: uploads too come to an end. 1,000 MB need 50 KB/s. */
export const longestBodyMs = 6 * 3600_000

/** A peer that neither sends nor takes a byte is gone; the next call of the connection starts without this limit. */
export function limitIdle({ socket }: IncomingMessage): void {
  if (socket instanceof Socket) socket.setTimeout(idleMs)
}

export function installBodyTimeout(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    const { headers } = raw
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (!hasBody) return
    if (routeOptions.config.slowBody) return limitIdle(raw)
    const timer = setTimeout(() => {
      if (!raw.complete) raw.destroy()
    }, callMs).unref()
    raw.once('close', () => clearTimeout(timer))
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Large files arrive here: there is no limit of the whole time, only of standing still. */
    slowBody?: boolean
  }
}
