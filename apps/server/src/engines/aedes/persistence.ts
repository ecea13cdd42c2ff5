/**
 * Stored sessions in the shape that aedes asks for. Wills and retained messages are not kept (decisions.md 2 "Retained
 * messages").
 */
import { Readable } from 'node:stream'
import type { StoredSession } from './stored-session.ts'

interface Named {
  id: string
}
export interface Asked {
  topic: string
  qos: number
  /** It was allowed; aedes hands over whole SUBSCRIBE packets, with what was refused or is not decided yet. */
  granted?: boolean
}
interface Outgoing {
  brokerCounter?: number
  messageId?: number
}
interface Identified {
  messageId?: number
}

const nothing = async () => {}
const noPacket = () => Promise.reject(new Error('no such packet'))

/** Packet identifiers of QoS 2 messages between PUBLISH and PUBREL; they go with the connection. */
function makeReceived() {
  const byClient = new Map<string, Set<number>>()
  return {
    incomingStorePacket: async ({ id }: Named, { messageId = 0 }: Identified) => {
      byClient.set(id, (byClient.get(id) ?? new Set()).add(messageId))
    },
    incomingGetPacket: ({ id }: Named, { messageId = 0 }: Identified) =>
      byClient.get(id)?.has(messageId) ? Promise.resolve({ messageId }) : noPacket(),
    incomingDelPacket: ({ id }: Named, { messageId = 0 }: Identified) =>
      byClient.get(id)?.delete(messageId) ? Promise.resolve() : noPacket(),
    cleanIncoming: async ({ id }: Named) => void byClient.delete(id),
  }
}

export interface PersistenceOptions {
  /** Opened when the client signed in; aedes gives a client, or only what is named like one. */
  storedOf(client: Named): StoredSession | undefined
  /** Of the aedes that uses it: marks our packets, so that they are found again when they were sent. */
  brokerID: string
  nextCounter(): number
  /** What waited may be for a child that has left its gateway meanwhile. */
  mayHear(clientID: string, topic: string): boolean | Promise<boolean>
}

export const makePersistence = ({ storedOf, brokerID, nextCounter, mayHear }: PersistenceOptions) => ({
  ...makeReceived(),
  // aedes insists on an async function.
  async setup() {},
  destroy: nothing,

  storeRetained: nothing,
  createRetainedStream: () => Readable.from([]),
  createRetainedStreamCombi: () => Readable.from([]),
  putWill: nothing,
  getWill: nothing,
  delWill: nothing,
  streamWill: () => Readable.from([]),
  getClientList: () => Readable.from([]),
  countOffline: async () => ({ clientsCount: 0, subsCount: 0 }),

  addSubscriptions: async (client: Named, asked: Asked[]) =>
    storedOf(client)?.subscribe(asked.filter(({ granted }) => granted)),
  removeSubscriptions: async (client: Named, topics: string[]) => storedOf(client)?.unsubscribe(topics),
  subscriptionsByClient: async (client: Named) => storedOf(client)?.filters ?? [],
  subscriptionsByTopic: async () => [],
  cleanSubscriptions: nothing,

  // It was stored before aedes heard of it (downlink.ts).
  outgoingEnqueue: nothing,
  outgoingEnqueueCombi: nothing,
  outgoingUpdate: async (client: Named, { brokerCounter = 0, messageId = 0 }: Outgoing) =>
    storedOf(client)?.sentAs(brokerCounter, messageId),
  outgoingClearMessageId: async (client: Named, { messageId = 0 }: Identified) =>
    storedOf(client)?.acknowledged(messageId),
  outgoingStream(client: Named) {
    const stored = storedOf(client)
    if (!stored) return Readable.from([])
    const packets = async function* () {
      for await (const { id, topic, payload, dup } of stored.backlog()) {
        if (!(await mayHear(client.id, topic))) {
          stored.discard(id)
          continue
        }
        const brokerCounter = nextCounter()
        stored.number(brokerCounter, id)
        yield { cmd: 'publish', brokerId: brokerID, brokerCounter, topic, payload, qos: 1, retain: false, dup }
      }
    }
    return Readable.from(packets())
  },
})
