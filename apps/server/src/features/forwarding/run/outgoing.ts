/** What a rule has read and not sent yet, in order; sent in pieces as large as the target takes. */
import type { ForwardMessage, ForwardTarget } from '#ports/forward-target.ts'
import type { Position } from '../position.ts'

export interface Waiting {
  message: ForwardMessage
  at: number
  logDays: number
  /** The script made nothing of it. */
  fault?: string | undefined
}

export interface Letter {
  message: ForwardMessage
  reason: string
}

/** Beyond this nothing more is read until something was sent. */
const enough = 2_000

export class Outgoing {
  #waiting: Waiting[] = []
  #since = 0
  /** Everything before it was sent. */
  #sent: Position
  /** Everything before it was read. */
  #read: Position
  readonly #target: Pick<ForwardTarget, 'most' | 'gatherMs'>

  constructor(start: Position, target: Pick<ForwardTarget, 'most' | 'gatherMs'>) {
    this.#sent = start
    this.#read = start
    this.#target = target
  }

  get sent(): Position {
    return this.#sent
  }
  get read(): Position {
    return this.#read
  }
  get oldest(): Waiting | undefined {
    return this.#waiting[0]
  }
  get hasRoom(): boolean {
    const { gatherMs, most } = this.#target
    return this.#waiting.length < (gatherMs > 0 ? most : enough)
  }

  add(messages: Waiting[], next: Position, now: number): void {
    if (this.#waiting.length === 0) this.#since = now
    this.#waiting.push(...messages)
    this.#read = next
    if (this.#waiting.length === 0) this.#sent = next
  }

  /** When there is something to send at the latest; undefined: nothing waits. */
  get dueAt(): number | undefined {
    if (this.#waiting.length === 0) return undefined
    return this.hasRoom ? this.#since + this.#target.gatherMs : this.#since
  }

  /** The next piece. Gathered messages are cut at the same places each time, as long as they are the same. */
  piece(): Waiting[] {
    return this.#waiting.slice(0, this.#target.most)
  }

  done(count: number): void {
    this.#waiting = this.#waiting.slice(count)
    if (this.#waiting.length === 0) this.#sent = this.#read
  }
}
