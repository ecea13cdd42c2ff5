/**
 * Answers of a stored session: what the device said itself, and waits for. Nearly all are acknowledged within
 * milliseconds, so they are stored only when that takes longer, or when the connection ends before. Written and deleted
 * one by one they would be most of what a busy database does. Should this server die meanwhile, the device asks again.
 */
import type { SessionStore } from '#ports/session-store.ts'

export interface AnswerStore {
  keep(topic: string, payload: Buffer): ReturnType<SessionStore['keep']>
  discard(id: number): void
}

/** Not acknowledged after one to two times this: it is stored. */
const graceMs = 250
/** More of a device that acknowledges nothing are not held in memory. */
const most = 100

interface Answer {
  topic: string
  payload: Buffer
  late: boolean
  storing: boolean
}

export class Answers {
  readonly #store: AnswerStore
  /** Under numbers below zero, which no stored message has. */
  readonly #open = new Map<number, Answer>()
  /** Those that took longer -> stored message. */
  readonly #stored = new Map<number, number>()
  #last = 0
  #timer: NodeJS.Timeout | undefined
  #ended = false

  constructor(store: AnswerStore) {
    this.#store = store
  }

  get full(): boolean {
    return this.#open.size >= most
  }

  /** @returns its number */
  add(topic: string, payload: Buffer): number {
    this.#last--
    this.#open.set(this.#last, { topic, payload, late: false, storing: false })
    this.#timer ??= setTimeout(() => this.#look(), graceMs).unref()
    return this.#last
  }

  acknowledged(number: number): void {
    this.#open.delete(number)
    const id = this.#stored.get(number)
    if (id === undefined) return
    this.#stored.delete(number)
    this.#store.discard(id)
  }

  /** The connection has ended: the device finds the rest when it is back. */
  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    for (const [number, answer] of this.#open) this.#keep(number, answer)
  }

  #look(): void {
    this.#timer = undefined
    for (const [number, answer] of this.#open) {
      if (answer.late) this.#keep(number, answer)
      answer.late = true
    }
    if (this.#open.size > 0) this.#timer = setTimeout(() => this.#look(), graceMs).unref()
  }

  #keep(number: number, answer: Answer): void {
    if (answer.storing) return
    answer.storing = true
    this.#store.keep(answer.topic, answer.payload).then(
      (id) => {
        const isOpen = this.#open.delete(number)
        if (typeof id !== 'number') return
        if (isOpen) this.#stored.set(number, id)
        else this.#store.discard(id)
      },
      () => {
        answer.storing = false
        // Tried again with the next look; when the connection has ended there is none, and the device asks again.
        if (this.#ended) this.#open.delete(number)
      },
    )
  }
}
