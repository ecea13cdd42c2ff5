/**
 * Rules work in the process that takes messages in, and give way to it: together they take what it leaves of the event loop,
 * and at least a small share, so that they come on. They catch up when there is room; until then their lag is told.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Parts of the time of the event loop. */
const [least, most] = [0.1, 0.9]
/** The share is found anew this often. */
const lookMs = 200
/** What was not used is kept for so long. */
const keptMs = 50
/** Beside what is measured the driver takes rows apart and sockets are written to. */
const unmeasured = 2

interface PaceParts {
  now(): number
  /** Part of the time since the last call that the event loop worked. */
  utilization(): number
}

function systemParts(): PaceParts {
  let last = performance.eventLoopUtilization()
  return {
    now: () => performance.now(),
    utilization() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
  }
}

export class Pace {
  readonly #parts: PaceParts
  #share = most
  /** Milliseconds that may be worked; less than nothing: what was worked too long. */
  #left = 0
  #countedAt: number
  #lookedAt: number
  #worked = 0

  constructor(parts: PaceParts = systemParts()) {
    this.#parts = parts
    this.#countedAt = parts.now()
    this.#lookedAt = this.#countedAt
  }

  /** Does something without waiting within it, and counts how long it took. */
  work<T>(task: () => T): T {
    const begun = this.#parts.now()
    try {
      return task()
    } finally {
      this.worked(this.#parts.now() - begun)
    }
  }

  worked(ms: number): void {
    const all = ms * unmeasured
    this.#worked += all
    this.#left -= all
  }

  /** How long to wait before the next piece of work; 0: it may begin. */
  waitMs(): number {
    const now = this.#parts.now()
    if (now - this.#lookedAt >= lookMs) {
      const others = this.#parts.utilization() - this.#worked / (now - this.#lookedAt)
      this.#share = Math.min(most, Math.max(least, most - others))
      this.#worked = 0
      this.#lookedAt = now
    }
    this.#left = Math.min(this.#left + (now - this.#countedAt) * this.#share, keptMs * this.#share)
    this.#countedAt = now
    return this.#left >= 0 ? 0 : Math.min(-this.#left / this.#share, lookMs)
  }

  async turn(signal: AbortSignal): Promise<void> {
    for (let ms = this.waitMs(); ms > 0 && !signal.aborted; ms = this.waitMs()) {
      await sleep(ms, undefined, { signal }).catch(() => undefined)
    }
  }
}
