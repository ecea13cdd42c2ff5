/** The stored session of one connection: which of the messages that are under way are which of the stored ones. */
import type { OpenedSession, SessionHolder, SessionStore, StoredFilter, WaitingMessage } from '#ports/session-store.ts'
import { Answers } from './answers.ts'

export class StoredSession {
  readonly deviceID: number
  readonly answers: Answers
  readonly #store: SessionStore
  /** Undefined until it is open. */
  #opened: OpenedSession | undefined
  /** What is stored, or about to be. */
  readonly #filters = new Map<string, number>()
  #storing: Promise<unknown> = Promise.resolve()
  #ended = false
  /** Number that aedes knows a packet by until it is written -> stored message, or answer. */
  readonly #numbers = new Map<number, number>()
  /** Packet identifier -> stored message, or answer; aedes has at most 65,535 of them. */
  readonly #sent = new Map<number, number>()
  /** Something was queued that this connection has not taken. */
  behind = false
  /** All that waited is sent: what comes now may be sent at once. Until then it is queued, to keep its order. */
  current = false

  constructor(store: SessionStore, deviceID: number) {
    this.#store = store
    this.deviceID = deviceID
    this.answers = new Answers(this)
  }

  async open(epoch: number | undefined): Promise<void> {
    this.#opened = await this.#store.open({ deviceID: this.deviceID, epoch, clean: false })
    for (const { topic, qos } of this.#opened?.filters ?? []) this.#filters.set(topic, qos)
    if (this.#ended) this.left()
  }

  left(): void {
    this.#ended = true
    if (!this.#opened) return
    this.answers.end()
    this.#store.left(this.#opened.holder)
  }

  get #holder(): SessionHolder {
    if (!this.#opened) throw new Error('the stored session is not open')
    return this.#opened.holder
  }

  get filters(): StoredFilter[] {
    return [...this.#filters].map(([topic, qos]) => ({ topic, qos }))
  }

  /** Most devices ask each time for what they have. aedes asks with the whole packet for each filter in it. */
  async subscribe(asked: StoredFilter[]): Promise<void> {
    const fresh = asked.filter(({ topic, qos }) => this.#filters.get(topic) !== qos)
    for (const { topic, qos } of fresh) this.#filters.set(topic, qos)
    if (fresh.length > 0) this.#storing = Promise.all([this.#storing, this.#store.subscribe(this.#holder, fresh)])
    await this.#storing
  }

  async unsubscribe(topics: string[]): Promise<void> {
    for (const topic of topics) this.#filters.delete(topic)
    // In the order in which the device said it.
    await this.#storing
    await this.#store.unsubscribe(this.#holder, topics)
  }

  /** What waited when it connected, and what it had not acknowledged, in their order. */
  async *backlog(): AsyncGenerator<WaitingMessage> {
    let after = 0
    for (let more = this.#opened?.waits ?? false; more; ) {
      const taken = await this.#store.take(this.#holder, after)
      yield* taken.messages
      after = taken.messages.at(-1)?.id ?? after
      more = taken.more
    }
  }

  takeUnsent = () => this.#store.takeUnsent(this.#holder)

  keep(topic: string, payload: Buffer) {
    return this.#store.keep(this.#holder, topic, payload)
  }

  queue(topic: string, payload: Buffer): Promise<void> {
    return this.#store.queue(this.deviceID, topic, payload)
  }

  number(counter: number, id: number): void {
    this.#numbers.set(counter, id)
  }

  sentAs(counter: number, messageID: number): void {
    const id = this.#numbers.get(counter)
    if (id === undefined) return
    this.#numbers.delete(counter)
    this.#sent.set(messageID, id)
  }

  acknowledged(messageID: number): void {
    const id = this.#sent.get(messageID)
    if (id === undefined) return
    this.#sent.delete(messageID)
    if (id < 0) this.answers.acknowledged(id)
    else this.discard(id)
  }

  discard(id: number): void {
    this.#store.acknowledged(this.deviceID, id)
  }
}
