/** The connection that notices arrive on, whatever it is made of: opened again and again until it is stopped. */
import { within } from '#ports/within.ts'

/** A line that is cut without a word is noticed only by asking: we send ourselves a notice and must hear it. */
export interface SignalPatience {
  everyMs: number
  silentMs: number
}
export const usualPatience: SignalPatience = { everyMs: 5_000, silentMs: 10_000 }

const reconnectMs = 1_000
/** A machine that does much else while the platform starts is slow, not broken: the first opening may take so many times longer. */
const firstPatience = 6

/** A connection that is open. */
export interface OpenLine {
  /** Sends this to ourselves over the connection that listens: who answers there also delivers there. */
  beat(text: string): Promise<void>
  /** Notices for this address are wanted from now on, or no longer. */
  follow(address: string): void
  leave(address: string): void
  close(): Promise<void>
}

export interface LineEnds {
  hear(text: string): void
  /** It has ended, or cannot be used. */
  ended(error: Error): void
}

export interface LineParts<L extends OpenLine> {
  /** @param limitMs after which it fails */
  open(ends: LineEnds, limitMs: number): Promise<L>
  patience: SignalPatience
  /** What it sends to itself. */
  beat: string
  hear(text: string): void
  addresses(): Iterable<string>
  /** Notices are missed from now on, or may have been until now. */
  gap(): void
  failed(error: Error): void
}

const silence = () => new Error('the signal connection is silent')

export class Line<L extends OpenLine> {
  readonly #parts: LineParts<L>
  #open: L | undefined
  /** The one that is open, or about to be. */
  #newest: L | undefined
  #retry: NodeJS.Timeout | undefined
  #pulse: NodeJS.Timeout | undefined
  #end: NodeJS.Timeout | undefined
  #heardAt = 0
  #askedAt = 0
  #lagMs: number | undefined
  #asking = false
  /** Counts starts and stops: what was begun before the last of them is void. */
  #turn = 0

  constructor(parts: LineParts<L>) {
    this.#parts = parts
  }

  /** undefined while it is lost. */
  get open(): L | undefined {
    return this.#open
  }

  /** How long the last notice to ourselves was under way; undefined while the line is lost. */
  get lagMs(): number | undefined {
    return this.#open && this.#lagMs
  }

  follow(address: string): void {
    this.#newest?.follow(address)
  }

  leave(address: string): void {
    this.#newest?.leave(address)
  }

  async start(): Promise<void> {
    await this.#connect(++this.#turn, firstPatience * this.#parts.patience.silentMs)
  }

  async stop(): Promise<void> {
    this.#turn++
    clearTimeout(this.#retry)
    await this.#drop()?.close()
  }

  #drop(): L | undefined {
    const old = this.#open
    this.#open = undefined
    this.#newest = undefined
    clearInterval(this.#pulse)
    clearTimeout(this.#end)
    return old
  }

  #lost(error: Error, turn: number): void {
    if (turn !== this.#turn) return
    const old = this.#drop()
    // A hung connection never says that it has ended.
    old?.close().catch(() => undefined)
    if (old) this.#parts.gap()
    this.#parts.failed(error)
    const again = (cause: Error) => this.#lost(cause, turn)
    this.#retry = setTimeout(() => void this.#connect(turn).catch(again), reconnectMs).unref()
  }

  async #ask(own: L, turn: number): Promise<void> {
    const { patience, beat } = this.#parts
    const leftMs = this.#heardAt + patience.silentMs - performance.now()
    if (leftMs <= 0) return this.#lost(silence(), turn)
    // Its time runs out before the next look.
    if (leftMs < patience.everyMs) {
      clearTimeout(this.#end)
      this.#end = setTimeout(() => void this.#ask(own, turn), Math.ceil(leftMs)).unref()
    }
    if (this.#asking) return
    this.#asking = true
    this.#askedAt = performance.now()
    try {
      await own.beat(beat)
    } catch (error) {
      if (this.#open === own) this.#lost(error as Error, turn)
    } finally {
      this.#asking = false
    }
  }

  /** Open means that we have heard ourselves. */
  async #connect(turn: number, limitMs = this.#parts.patience.silentMs): Promise<void> {
    const { open, patience, beat, hear, addresses, gap } = this.#parts
    const heard = Promise.withResolvers<void>()
    const over = Promise.withResolvers<never>()
    over.promise.catch(() => undefined)
    let next: L | undefined
    const own = await open(
      {
        hear: (text) => {
          this.#heardAt = performance.now()
          if (text !== beat) return hear(text)
          this.#lagMs = this.#heardAt - this.#askedAt
          heard.resolve()
        },
        ended: (error) => (next && this.#open === next ? this.#lost(error, turn) : over.reject(error)),
      },
      limitMs,
    )
    next = own
    this.#newest = own
    /** Fails when the line ends meanwhile, or when nothing came of it within the time. */
    const hears = (work: Promise<void>) =>
      within(limitMs, Promise.race([work, over.promise]), () => Promise.reject(silence()))
    try {
      for (const address of addresses()) own.follow(address)
      this.#askedAt = performance.now()
      await hears(own.beat(beat))
      await hears(heard.promise)
    } catch (error) {
      own.close().catch(() => undefined)
      throw error
    }
    if (turn !== this.#turn) return own.close()
    this.#open = own
    this.#asking = false
    this.#pulse = setInterval(() => void this.#ask(own, turn), patience.everyMs).unref()
    gap()
  }
}
