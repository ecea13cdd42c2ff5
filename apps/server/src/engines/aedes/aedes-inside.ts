/** The parts of aedes 1.2 that its types do not show but that we rely on; aedes-inside.test.ts notices when they go. */
import { kept } from '@ithings/contract/text.ts'
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
  _parser: { parse(bytes: Buffer): number; prependListener(event: 'packet', look: (packet: Packet) => void): void }
}

export const inside = (client: Client): InnerClient => client as unknown as InnerClient

/** What the parser makes of a frame, as far as we look at it. */
interface Packet {
  cmd: string
  messageId?: number
  qos?: number
  topic?: string
  clientId?: string
  username?: string
  will?: { topic: string }
  subscriptions?: Array<{ topic: string }>
  unsubscriptions?: string[]
}

/** What the parser lets pass although MQTT 3.1.1 has the connection end for it: 2.3.1 and 1.5.3. */
function refuseForbidden(packet: Packet): void {
  const { cmd, messageId, qos = 0, topic, clientId, username, will, subscriptions = [], unsubscriptions = [] } = packet
  const numbered = cmd === 'subscribe' || cmd === 'unsubscribe' || (cmd === 'publish' && qos > 0)
  if (numbered && messageId === 0) throw new Error(kept('报文标识符为 0'))
  const texts = [topic, clientId, username, will?.topic, ...subscriptions.map((one) => one.topic), ...unsubscriptions]
  if (texts.some((text) => text?.includes('\0'))) throw new Error(kept('文本含有空字符'))
}

/** An exception of the parser would end the process: it runs in a listener of the socket. */
export function guardParser(client: Client, failed: (error: Error) => void): void {
  const parser = inside(client)._parser
  const parse = parser.parse
  parser.prependListener('packet', refuseForbidden)
  parser.parse = (bytes) => {
    try {
      return parse.call(parser, bytes)
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)))
      return 0
    }
  }
}
