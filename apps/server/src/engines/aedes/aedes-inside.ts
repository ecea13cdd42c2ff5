/** The parts of aedes 1.2 that its types do not show but that we rely on; aedes-inside.test.ts notices when they go. */
import { Aedes, type AedesOptions, type Client, type PublishPacket } from 'aedes'

type Done = (error?: Error) => void

/**
 * Routes nothing by itself: messages of devices end in our hook, and nobody may read $SYS. So neither costs anything,
 * and 100 slow readers cannot hold up the broker as its emitter would let them.
 */
export class QuietAedes extends Aedes {
  declare counter: number
  declare clients: Record<string, Client>

  /** A client that was let in although it had left; nothing else would remove it. */
  forget(client: Client): void {
    if (this.clients[client.id] === client) delete this.clients[client.id]
  }

  override publish(_packet: PublishPacket, clientOrDone: Client | null | Done, done?: Done): void {
    const finish = typeof clientOrDone === 'function' ? clientOrDone : done
    finish?.()
  }
}

const call = (done?: () => void) => done?.()

/** In place of an emitter: see QuietAedes. */
const silentEmitter = {
  on: (_topic: string, _listener: unknown, done?: () => void) => call(done),
  removeListener: (_topic: string, _listener: unknown, done?: () => void) => call(done),
  emit: (_packet: unknown, done?: () => void) => call(done),
  close: (done?: () => void) => call(done),
}

export const makeQuietAedes = (options: AedesOptions): QuietAedes => new QuietAedes({ ...options, mq: silentEmitter })

export interface InnerClient {
  id: string
  clean: boolean
  subscriptions: Record<string, { qos: number }>
  /** Its last will, once it has signed in. */
  will: PublishPacket | null
  /** It said DISCONNECT. */
  _disconnected: boolean
  _parser: { parse(bytes: Buffer): number }
}

export const inside = (client: Client): InnerClient => client as unknown as InnerClient

/** An exception of the parser would end the process: it runs in a listener of the socket. */
export function guardParser(client: Client, failed: (error: Error) => void): void {
  const parser = inside(client)._parser
  const parse = parser.parse
  parser.parse = (bytes) => {
    try {
      return parse.call(parser, bytes)
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)))
      return 0
    }
  }
}
