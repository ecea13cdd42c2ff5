/** Gathers the values of one series, old to new, and drops those that no moment of the query looks at. */
import type { Labels } from './labels.ts'
import type { Moments } from './needs.ts'
import type { Samples } from './values.ts'

export class Collector {
  readonly #moments: Moments | undefined
  readonly #times: number[] = []
  readonly #values: number[] = []
  /** The first moment that sees the newest value. */
  #seenAt = Number.NaN

  constructor(moments: Moments | undefined) {
    this.#moments = moments
  }

  get size(): number {
    return this.#times.length
  }

  add(time: number, value: number): void {
    if (this.#moments) {
      const seenAt = Math.ceil((time - this.#moments.base) / this.#moments.step)
      // Between the two nobody looks: the older one is never the newest.
      if (seenAt === this.#seenAt) {
        this.#times.pop()
        this.#values.pop()
      }
      this.#seenAt = seenAt
    }
    this.#times.push(time)
    this.#values.push(value)
  }

  samples(labels: Labels): Samples {
    return { labels, times: Float64Array.from(this.#times), values: Float64Array.from(this.#values) }
  }
}
