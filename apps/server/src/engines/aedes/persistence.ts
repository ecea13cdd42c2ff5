/**
 * The session store in the shape that aedes asks for. Wills and retained messages are not kept
 * (decisions.md 2 "Retained messages").
 */
import { Readable } from 'node:stream'
import type { SessionStore } from './session-store.ts'

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
  topic: string
  payload: Buffer
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
  store: SessionStore
  /** Of the aedes that uses it: marks our packets, so that they are found again when they were sent. */
  brokerID: string
  /** What waited may be for a child that has left its gateway meanwhile. */
  mayHear(clientID: string, topic: string): boolean | Promise<boolean>
}

export const makePersistence = ({ store, brokerID, mayHear }: PersistenceOptions) => ({
  ...makeReceived(),
  // aedes insists on an async function.
  async setup() {
    await store.open()
  },
  destroy: () => store.close(),

  storeRetained: nothing,
  createRetainedStream: () => Readable.from([]),
  createRetainedStreamCombi: () => Readable.from([]),
  putWill: nothing,
  getWill: nothing,
  delWill: nothing,
  streamWill: () => Readable.from([]),
  getClientList: () => Readable.from([]),
  countOffline: async () => ({ clientsCount: store.size, subsCount: 0 }),

  addSubscriptions: ({ id }: Named, asked: Asked[]) =>
    store.subscribe(
      id,
      asked.filter(({ granted }) => granted),
    ),
  removeSubscriptions: ({ id }: Named, topics: string[]) => store.unsubscribe(id, topics),
  async subscriptionsByClient({ id }: Named) {
    await store.dropNamesakes(id)
    await store.touch(id)
    return store.subscriptionsOf(id)
  },
  subscriptionsByTopic: async () => [],
  async cleanSubscriptions({ id }: Named) {
    await store.dropNamesakes(id)
    await store.remove(id)
  },

  outgoingEnqueue: ({ clientId }: { clientId: string }, { brokerCounter = 0, topic, payload }: Outgoing) =>
    store.enqueue(clientId, brokerCounter, topic, payload),
  outgoingEnqueueCombi: nothing,
  outgoingUpdate: async ({ id }: Named, { brokerCounter = 0, messageId = 0 }: Outgoing) =>
    store.sentAs(id, brokerCounter, messageId),
  outgoingClearMessageId: async ({ id }: Named, { messageId = 0 }: Identified) => store.acknowledged(id, messageId),
  outgoingStream({ id }: Named) {
    if (!store.has(id)) return Readable.from([])
    const packets = async function* () {
      for await (const { seq, topic, payload, dup } of store.queueOf(id)) {
        if (!(await mayHear(id, topic))) store.discard(id, seq)
        else
          yield { cmd: 'publish', brokerId: brokerID, brokerCounter: seq, topic, payload, qos: 1, retain: false, dup }
      }
    }
    return Readable.from(packets())
  },
})
