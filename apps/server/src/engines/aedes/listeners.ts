/** The two ports that devices connect to: plain and TLS. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { readSmall } from './small-reads.ts'

export interface ListenOptions {
  host: string
  port: number
  tlsPort?: number | undefined
  tls?: { cert: Buffer; key: Buffer } | undefined
}

export interface Listeners {
  open(options: ListenOptions): Promise<void>
  /** Where it listens; 0 when it does not. */
  address(): { port: number; tlsPort: number }
  close(): Promise<void>
}

const handshakeMs = 10_000
/** A whole fleet comes back at once after an outage; the system may allow less. */
const backlog = 4_096
/** See small-reads.ts; what comes through TLS is decrypted in pieces of its own. */
const highWaterMark = 4_096

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen({ port, host, backlog })
  await once(server, 'listening')
}

const portOf = (server: Server | undefined) => (server?.address() as AddressInfo | null | undefined)?.port ?? 0

async function close(server: Server | undefined): Promise<void> {
  if (!server?.listening) return
  // Its connections are ended by the broker.
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

export function makeListeners(accept: (socket: Socket) => void, failed: (error: Error) => void): Listeners {
  let plain: Server | undefined
  let secure: Server | undefined
  return {
    async open({ host, port, tlsPort, tls }) {
      const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000, pauseOnConnect: true }
      plain = createServer(options, (socket) => accept(readSmall(socket)))
      await listen(plain, host, port)
      plain.on('error', failed)
      if (!tls || tlsPort === undefined) return
      const secured = { ...tls, handshakeTimeout: handshakeMs, noDelay: true, keepAlive: true, highWaterMark }
      secure = createTlsServer(secured, accept)
      // Strangers that speak no TLS; the socket is closed already.
      secure.on('tlsClientError', () => {})
      await listen(secure, host, tlsPort)
      secure.on('error', failed)
    },
    address: () => ({ port: portOf(plain), tlsPort: portOf(secure) }),
    close: async () => void (await Promise.all([close(plain), close(secure)])),
  }
}
