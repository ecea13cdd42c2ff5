/** The two ports that devices connect to: plain and TLS. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, Socket, type SocketConstructorOpts } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

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

/** Also for TLS, which is decrypted in pieces of its own. */
const pieceBytes = 4_096

/** Filled and emptied within one call: all sockets share it. */
const piece = Buffer.allocUnsafeSlow(pieceBytes)

interface InnerSocket {
  _handle: object | null
  /** Counts its connections; told by the socket that it ends. */
  _server: object | null
  server: object | null
}

/** false stops reading until somebody reads again. */
function take(this: Socket, bytes: number, buffer: Uint8Array): boolean {
  return this.push(Buffer.from(buffer.subarray(0, bytes)))
}

/**
 * Node reads a socket in pieces of 64 KiB. What a flooding device has sent lies in such a piece until it is stored, and
 * five thousand of them are 300 MB (goals.md "Overload"). With a buffer of our own a piece is never bigger than that,
 * and the rest stays with the system, where TCP slows the sender down. Node offers this to clients (`onread` of
 * net.connect) but not to servers: the accepted connection is handed to a socket of ours, as Node itself does when it
 * gives one to another process. listeners.test.ts notices when these inner parts go.
 *
 * @param accepted by a server with `pauseOnConnect`: nothing has been read from it
 */
export function readSmall(accepted: Socket): Socket {
  const from = accepted as unknown as InnerSocket
  const options = {
    handle: from._handle,
    readableHighWaterMark: pieceBytes,
    onread: { buffer: piece, callback: take },
  }
  const socket = new Socket(options as SocketConstructorOpts)
  const to = socket as unknown as InnerSocket
  to._server = from._server
  to.server = from.server
  from._server = null
  from._handle = null
  return socket
}

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
      const secured = {
        ...tls,
        handshakeTimeout: handshakeMs,
        noDelay: true,
        keepAlive: true,
        highWaterMark: pieceBytes,
      }
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
