/** So many at a time; the others wait, not longer than they want to. */
export class Turns {
  #free: number
  readonly #mostWaiting: number
  readonly #waiting: Array<() => void> = []

  constructor(atOnce: number, mostWaiting: number) {
    this.#free = atOnce
    this.#mostWaiting = mostWaiting
  }

  /** @returns what gives the turn back; undefined: there was none within the time */
  async take(ms: number): Promise<(() => void) | undefined> {
    const giveBack = () => {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
    if (this.#free > 0) {
      this.#free--
      return giveBack
    }
    if (this.#waiting.length >= this.#mostWaiting) return undefined
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const mine = () => resolve(true)
    this.#waiting.push(mine)
    const timer = setTimeout(() => {
      const place = this.#waiting.indexOf(mine)
      if (place >= 0) this.#waiting.splice(place, 1)
      resolve(false)
    }, ms)
    const got = await promise
    clearTimeout(timer)
    return got ? giveBack : undefined
  }
}
