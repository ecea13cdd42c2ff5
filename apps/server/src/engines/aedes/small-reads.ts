/**
 * Node reads a socket in pieces of 64 KiB. What a flooding device has sent lies in such a piece until it is stored, and
 * five thousand of them are 300 MB (goals.md "Overload"). With a buffer of our own a piece is never bigger than that,
 * and the rest stays with the system, where TCP slows the sender down. Node offers this to clients (`onread` of
 * net.connect) but not to servers: the accepted connection is handed to a socket of ours, as Node itself does when it
 * gives one to another process. small-reads.test.ts notices when these inner parts go.
 */
import { Socket, type SocketConstructorOpts } from 'node:net'

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

/** @param accepted by a server with `pauseOnConnect`: nothing has been read from it */
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
