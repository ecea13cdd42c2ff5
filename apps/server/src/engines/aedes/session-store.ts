/**
 * Sessions that outlive their connection (MQTT 3.1.1, 4.1): subscriptions, and QoS 1 downlinks that were not
 * acknowledged. An index in memory, the messages themselves in a key-value store. aedes-persistence-level works with aedes 1.2 too,
 * but has no bounds, reads the disk four times for every CONNECT and forgets the order of messages at a restart.
 */
import { ownerOf } from '@ithings/contract/device/topics.ts'
import { dayMs } from '@ithings/contract/durations.ts'
import type { Clock } from '#ports/clock.ts'
import type { KeyValueStore } from './key-value-store.ts'
import type { BrokerLimits } from './limits.ts'
import { deviceOfKey, filterMatches } from './topic-filter.ts'

export interface QueuedMessage {
  seq: number
  topic: string
  payload: Buffer
  /** It was sent before and not acknowledged. */
  dup: boolean
}

interface StoredSession {
  subscriptions: Map<string, number>
  /** Sequence number -> packet identifier under which it was sent last; 0 not yet. */
  queue: Map<number, number>
  seen: number
}

export interface SessionStoreOptions {
  store: KeyValueStore
  limits: Pick<BrokerLimits, 'sessions' | 'sessionDays' | 'queuedPerClient' | 'queuedTotal'>
  clock: Clock
  isLive(clientID: string): boolean
  /** Messages that had to go to keep the bounds. */
  dropped(count: number): void
}

const sessionKey = (clientID: string) => `c\0${clientID}`
const subscriptionKey = (clientID: string, topic: string) => `s\0${clientID}\0${topic}`
const messageKey = (clientID: string, seq: number) => `q\0${clientID}\0${seq.toString(36).padStart(11, '0')}`

function packMessage(topic: string, payload: Uint8Array): Buffer {
  const name = Buffer.from(topic)
  const head = Buffer.allocUnsafe(2)
  head.writeUInt16BE(name.length)
  return Buffer.concat([head, name, payload])
}

function unpackMessage(value: Buffer): { topic: string; payload: Buffer } {
  const end = 2 + value.readUInt16BE(0)
  return { topic: value.toString('utf8', 2, end), payload: value.subarray(end) }
}

export class SessionStore {
  readonly #options: SessionStoreOptions
  /** The least recently seen first. */
  readonly #sessions = new Map<string, StoredSession>()
  /** `product/device` of a filter -> the sessions that have one of it. */
  readonly #watchers = new Map<string, Set<string>>()
  /** All queued messages, the oldest first, and whose they are. */
  readonly #queued = new Map<number, string>()
  #lastSeq = 0

  constructor(options: SessionStoreOptions) {
    this.#options = options
  }

  get size() {
    return this.#sessions.size
  }
  get queued() {
    return this.#queued.size
  }
  get lastSeq() {
    return this.#lastSeq
  }

  has = (clientID: string): boolean => this.#sessions.has(clientID)

  async open(): Promise<void> {
    const { store } = this.#options
    await store.open()
    const found: Array<[string, number]> = []
    for await (const [key, value] of store.entries('c\0')) found.push([key.slice(2), Number(value.toString())])
    for (const [clientID, seen] of found.sort((a, b) => a[1] - b[1])) this.#add(clientID, seen)
    for await (const [key, value] of store.entries('s\0')) {
      const [, clientID = '', topic = ''] = key.split('\0')
      this.#watch(clientID, topic, value.readUInt8(0))
    }
    const messages: Array<[number, string]> = []
    for await (const [key] of store.entries('q\0')) {
      const [, clientID = '', seq = ''] = key.split('\0')
      messages.push([Number.parseInt(seq, 36), clientID])
    }
    for (const [seq, clientID] of messages.sort((a, b) => a[0] - b[0])) {
      this.#sessions.get(clientID)?.queue.set(seq, 0)
      this.#queued.set(seq, clientID)
      this.#lastSeq = seq
    }
    await this.dropExpired()
  }

  close = (): Promise<void> => this.#options.store.close()

  #add(clientID: string, seen: number): StoredSession {
    const session: StoredSession = { subscriptions: new Map(), queue: new Map(), seen }
    this.#sessions.set(clientID, session)
    return session
  }

  #watch(clientID: string, topic: string, qos: number): void {
    const session = this.#sessions.get(clientID)
    if (!session) return
    session.subscriptions.set(topic, qos)
    const owner = ownerOf(topic)
    const watchers = this.#watchers.get(owner) ?? new Set()
    this.#watchers.set(owner, watchers.add(clientID))
  }

  #unwatch(clientID: string, session: StoredSession, topic: string): void {
    session.subscriptions.delete(topic)
    const owner = ownerOf(topic)
    for (const other of session.subscriptions.keys()) if (ownerOf(other) === owner) return
    const watchers = this.#watchers.get(owner)
    watchers?.delete(clientID)
    if (watchers?.size === 0) this.#watchers.delete(owner)
  }

  /** It is the most recently seen one from here on. */
  async touch(clientID: string): Promise<void> {
    const session = this.#sessions.get(clientID)
    if (!session) return
    session.seen = this.#options.clock.now()
    this.#sessions.delete(clientID)
    this.#sessions.set(clientID, session)
    await this.#options.store.put(sessionKey(clientID), Buffer.from(String(session.seen)))
  }

  async subscribe(clientID: string, subscriptions: Array<{ topic: string; qos: number }>): Promise<void> {
    const { store, limits } = this.#options
    if (!this.#sessions.has(clientID)) {
      if (this.#sessions.size >= limits.sessions) await this.#dropOldest()
      this.#add(clientID, this.#options.clock.now())
      await this.touch(clientID)
    }
    for (const { topic, qos } of subscriptions) this.#watch(clientID, topic, qos)
    await Promise.all(
      subscriptions.map(({ topic, qos }) => store.put(subscriptionKey(clientID, topic), Buffer.of(qos))),
    )
  }

  async unsubscribe(clientID: string, topics: string[]): Promise<void> {
    const session = this.#sessions.get(clientID)
    if (!session) return
    for (const topic of topics) this.#unwatch(clientID, session, topic)
    await this.#options.store.del(topics.map((topic) => subscriptionKey(clientID, topic)))
  }

  subscriptionsOf(clientID: string): Array<{ topic: string; qos: number }> {
    const session = this.#sessions.get(clientID)
    return session ? [...session.subscriptions].map(([topic, qos]) => ({ topic, qos })) : []
  }

  /** The sessions, connected or not, that asked for QoS 1 of this topic. */
  watchersOf(topic: string): string[] {
    const watchers = this.#watchers.get(ownerOf(topic))
    if (!watchers) return []
    return [...watchers].filter((clientID) => {
      for (const [filter, qos] of this.#sessions.get(clientID)?.subscriptions ?? []) {
        if (qos > 0 && filterMatches(filter, topic)) return true
      }
      return false
    })
  }

  /** Resolves when it is stored. */
  async enqueue(clientID: string, seq: number, topic: string, payload: Uint8Array): Promise<void> {
    const { store, limits } = this.#options
    const session = this.#sessions.get(clientID)
    if (!session) return
    if (session.queue.size >= limits.queuedPerClient) this.#dropMessage(session.queue.keys().next().value)
    if (this.#queued.size >= limits.queuedTotal) this.#dropMessage(this.#queued.keys().next().value)
    session.queue.set(seq, 0)
    this.#queued.set(seq, clientID)
    this.#lastSeq = Math.max(this.#lastSeq, seq)
    await store.put(messageKey(clientID, seq), packMessage(topic, payload))
  }

  /** It is not for this client any more. */
  discard(clientID: string, seq: number): void {
    if (this.#queued.get(seq) === clientID) this.#remove(seq)
  }

  #dropMessage(seq: number | undefined): void {
    if (seq === undefined) return
    this.#options.dropped(1)
    this.#remove(seq)
  }

  #remove(seq: number): void {
    const clientID = this.#queued.get(seq)
    if (clientID === undefined) return
    this.#queued.delete(seq)
    this.#sessions.get(clientID)?.queue.delete(seq)
    // Should it stay stored, the device gets it once more: QoS 1 allows that.
    this.#options.store.del([messageKey(clientID, seq)]).catch(() => {})
  }

  sentAs(clientID: string, seq: number, messageID: number): void {
    const queue = this.#sessions.get(clientID)?.queue
    if (queue?.has(seq)) queue.set(seq, messageID)
  }

  acknowledged(clientID: string, messageID: number): void {
    for (const [seq, sentAs] of this.#sessions.get(clientID)?.queue ?? []) {
      if (sentAs !== messageID) continue
      this.#remove(seq)
      return
    }
  }

  async *queueOf(clientID: string): AsyncGenerator<QueuedMessage> {
    const session = this.#sessions.get(clientID)
    for (const [seq, sentAs] of [...(session?.queue ?? [])]) {
      const value = await this.#options.store.get(messageKey(clientID, seq))
      if (value) yield { seq, dup: sentAs !== 0, ...unpackMessage(value) }
      else this.#remove(seq)
    }
  }

  async remove(clientID: string): Promise<void> {
    const session = this.#sessions.get(clientID)
    if (!session) return
    const keys = [
      sessionKey(clientID),
      ...[...session.subscriptions.keys()].map((topic) => subscriptionKey(clientID, topic)),
      ...[...session.queue.keys()].map((seq) => messageKey(clientID, seq)),
    ]
    for (const topic of [...session.subscriptions.keys()]) this.#unwatch(clientID, session, topic)
    for (const seq of session.queue.keys()) this.#queued.delete(seq)
    this.#sessions.delete(clientID)
    await this.#options.store.del(keys)
  }

  /** What was meant for a device that is gone is not for the new one of its name. */
  async dropNamesakes(clientID: string): Promise<void> {
    const device = deviceOfKey(clientID)
    for (const other of [...(this.#watchers.get(device) ?? [])]) {
      if (other !== clientID && deviceOfKey(other) === device) await this.remove(other)
    }
  }

  async #dropOldest(): Promise<void> {
    for (const [clientID, session] of this.#sessions) {
      if (this.#options.isLive(clientID)) continue
      this.#options.dropped(session.queue.size)
      return this.remove(clientID)
    }
  }

  /** MQTT 3.1.1 keeps sessions for ever; nobody has room for that. */
  async dropExpired(): Promise<void> {
    const { clock, limits, isLive, dropped } = this.#options
    const oldest = clock.now() - limits.sessionDays * dayMs
    for (const [clientID, session] of [...this.#sessions]) {
      if (session.seen >= oldest) break
      if (isLive(clientID)) continue
      dropped(session.queue.size)
      await this.remove(clientID)
    }
  }
}
