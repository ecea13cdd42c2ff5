/** The two ports that devices connect to: plain and TLS. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, Socket, type SocketConstructorOpts } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { makeHeaderWait, type ProxyRules } from './proxied-socket.ts'

export interface ListenOptions {
  host: string
  port: number
  tlsPort?: number | undefined
  tls?: { cert: Buffer; key: Buffer } | undefined
  /** Set: every connection begins with the header of a balancer (PROXY protocol), before TLS too. */
  proxy?: (ProxyTrust & { headerMs?: number }) | undefined
}
export type ProxyTrust = Pick<ProxyRules, 'trusts'>

interface ListenerParts {
  accept(socket: Socket, address: string): void
  failed(error: Error): void
  /** A connection without a good header was closed. */
  refused: ProxyRules['refused']
  /** That many connections may wait for their header. */
  most: number
}

export interface Listeners {
  open(options: ListenOptions): Promise<void>
  /** Where it listens; 0 when it does not. */
  address(): { port: number; tlsPort: number }
  /** For devices that the platform plays itself: without headers; behind a balancer one on loopback. */
  ownPort(): number
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

/** TLS begins behind the header, so the port is a plain one and hands its connections over. */
function behindHeaders(
  secure: Server,
  wait: ReturnType<typeof makeHeaderWait>,
  addresses: Map<string, string>,
): Server {
  return createServer({ noDelay: true, keepAlive: true }, (socket) =>
    wait.await(socket, (address) => {
      const key = endOf(socket)
      addresses.set(key, address)
      socket.once('close', () => addresses.delete(key))
      secure.emit('connection', socket)
    }),
  )
}

/** The same for a TLS socket and the one that it is made of. */
const endOf = ({ remoteAddress, remotePort }: Socket | TLSSocket): string => `${remoteAddress} ${remotePort}`

export function makeListeners({ accept, failed, refused, most }: ListenerParts): Listeners {
  let plain: Server | undefined
  let secure: Server | undefined
  let own: Server | undefined
  let wait: ReturnType<typeof makeHeaderWait> | undefined
  const addresses = new Map<string, string>()
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000, pauseOnConnect: true }
  const acceptPlain = (socket: Socket) => accept(socket, socket.remoteAddress ?? '')

  const openSecure = async (host: string, port: number, tls: { cert: Buffer; key: Buffer }) => {
    const secured = {
      ...tls,
      handshakeTimeout: handshakeMs,
      noDelay: true,
      keepAlive: true,
      highWaterMark: pieceBytes,
    }
    const inner = createTlsServer(secured, (socket) =>
      accept(socket, addresses.get(endOf(socket)) ?? socket.remoteAddress ?? ''),
    )
    // Strangers that speak no TLS; the socket is closed already.
    inner.on('tlsClientError', () => {})
    secure = wait ? behindHeaders(inner, wait, addresses) : inner
    await listen(secure, host, port)
    secure.on('error', failed)
  }

  return {
    async open({ host, port, tlsPort, tls, proxy }) {
      wait = proxy && makeHeaderWait({ trusts: proxy.trusts, refused }, proxy.headerMs ?? handshakeMs, most)
      plain = createServer(options, (accepted) => {
        const socket = readSmall(accepted)
        if (wait) wait.await(socket, (address) => accept(socket, address))
        else acceptPlain(socket)
      })
      await listen(plain, host, port)
      plain.on('error', failed)
      if (wait) {
        own = createServer(options, (socket) => acceptPlain(readSmall(socket)))
        await listen(own, '127.0.0.1', 0)
        own.on('error', failed)
      }
      if (tls && tlsPort !== undefined) await openSecure(host, tlsPort, tls)
    },
    address: () => ({ port: portOf(plain), tlsPort: portOf(secure) }),
    ownPort: () => portOf(own ?? plain),
    async close() {
      wait?.stop()
      await Promise.all([close(plain), close(secure), close(own)])
    },
  }
}
