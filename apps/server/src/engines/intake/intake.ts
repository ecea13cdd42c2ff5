/** Messages on their way into the store: what both brokers, the one inside and the one that others run, take them through. */
import { StoreTimeout } from '#ports/journal.ts'

export interface IntakeLimits {
  /** Messages that wait for their commit, in number and in bytes. */
  totalInflight: number
  totalInflightBytes: number
  /** Packets let in before everybody else on this server, for instance the console, gets a turn. */
  perTurn: number
  /** decisions.md 4.1: longer than this none may take. */
  storeMs: number
}

interface Waiting {
  startedAt: number
  bytes: number
  settle(error: Error | undefined): void
}

const sweepMs = 250
/**
 * As many are let in as are done in a quarter of the time that each has. A store that became slow, for instance because
 * others use the machine, would otherwise hold more than it can finish in time: connections would be dropped and their
 * devices would send all of it again, which makes it slower still. What is not let in stays with the devices.
 */
const shareOfTime = 1 / 4
/** However slow it was: enough to notice that it is quick again. */
const fewest = 500
/** How much a sweep changes what is thought of the pace. */
const weight = 0.3

/** Messages between PUBLISH and PUBACK: how many there may be, and how long one may take (decisions.md 4.1, 4.3). */
export class Intake {
  readonly #limits: IntakeLimits
  /** In the order of arrival, so that the sweep looks at the oldest only. */
  readonly #waiting = new Set<Waiting>()
  /** Connections that are held back, the longest waiting first. */
  readonly #sleepers = new Set<() => void>()
  #bytes = 0
  /** Frames that were let in and have not been taken yet. */
  #announced = 0
  #inTurn = 0
  #turnEnds: NodeJS.Immediate | undefined
  #draining: (() => void) | undefined
  #closed = false
  #timer: NodeJS.Timeout | undefined
  /** Messages that may be under way at the pace of late. */
  #most: number
  #perMs = 0
  #finished = 0
  #measuredAt = performance.now()

  constructor(limits: IntakeLimits) {
    this.#limits = limits
    this.#most = Math.min(fewest, limits.totalInflight)
  }

  start(): void {
    this.#closed = false
    this.#timer = setInterval(() => this.#sweep(), Math.min(sweepMs, this.#limits.storeMs))
  }

  stop(): void {
    clearInterval(this.#timer)
    clearImmediate(this.#turnEnds)
  }

  get count(): number {
    return this.#waiting.size
  }

  /** Room for one more from whoever asks. */
  hasRoom(): boolean {
    return (
      !this.#closed &&
      this.#inTurn < this.#limits.perTurn &&
      this.#waiting.size + this.#announced < this.#most &&
      this.#bytes < this.#limits.totalInflightBytes
    )
  }

  /** Frames that were let in and have not been taken yet; a negative number gives room back. */
  announce(frames: number): void {
    this.#announced += frames
    if (frames > 0) this.#countTurn(frames)
  }

  /** Calls `wake` when there is room again; the longest waiting first. */
  whenRoom(wake: () => void): void {
    this.#sleepers.add(wake)
  }

  /** `done` is called once: when the work is done, failed, or took too long. */
  take(size: number, work: () => Promise<void>, done: (error: Error | undefined) => void): void {
    const one: Waiting = { startedAt: performance.now(), bytes: size, settle: done }
    this.#waiting.add(one)
    this.#bytes += size
    const fail = (error: unknown) => this.#finish(one, error instanceof Error ? error : new Error(String(error)))
    try {
      work().then(() => this.#finish(one, undefined), fail)
    } catch (error) {
      fail(error)
    }
  }

  /** No more from here on; resolves when nothing is under way. */
  async drain(): Promise<void> {
    this.#closed = true
    if (this.#waiting.size === 0) return
    await new Promise<void>((resolve) => {
      this.#draining = resolve
    })
  }

  #wakeSome(): void {
    for (const wake of this.#sleepers) {
      if (!this.hasRoom()) return
      this.#sleepers.delete(wake)
      wake()
    }
  }

  /** Thousands of sockets may be full at once; answering calls of people must not wait for all of them. */
  #countTurn(frames: number): void {
    this.#inTurn += frames
    this.#turnEnds ??= setImmediate(() => {
      this.#turnEnds = undefined
      this.#inTurn = 0
      this.#wakeSome()
    })
  }

  #finish(one: Waiting, error: Error | undefined): void {
    if (!this.#waiting.delete(one)) return
    this.#finished++
    this.#bytes -= one.bytes
    one.settle(error)
    if (this.#sleepers.size > 0) this.#wakeSome()
    if (this.#draining && this.#waiting.size === 0) this.#draining()
  }

  #sweep(): void {
    const now = performance.now()
    this.#measurePace(now)
    const { storeMs } = this.#limits
    for (const one of this.#waiting) {
      if (one.startedAt > now - storeMs) break
      this.#finish(one, new StoreTimeout(`not stored in ${storeMs} ms`))
    }
  }

  #measurePace(now: number): void {
    const { storeMs, totalInflight } = this.#limits
    this.#perMs += (this.#finished / Math.max(now - this.#measuredAt, 1) - this.#perMs) * weight
    this.#finished = 0
    this.#measuredAt = now
    this.#most = Math.min(Math.max(fewest, Math.ceil(this.#perMs * storeMs * shareOfTime)), totalInflight)
    this.#wakeSome()
  }
}
