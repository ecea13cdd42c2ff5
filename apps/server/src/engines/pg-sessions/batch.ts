/** Thousands of devices connect, subscribe and acknowledge at once: what is asked while a statement runs goes with the next one. */

export interface BatchOptions<T, R> {
  /** @returns an answer for each, in their order */
  run(items: T[]): Promise<R[]>
  /** In one statement. */
  most: number
  /** More are refused. */
  mostWaiting: number
}

export interface Batch<T, R> {
  add(item: T): Promise<R>
  /** Resolves when all that was added has its answer. */
  settled(): Promise<void>
}

export function makeBatch<T, R>({ run, most, mostWaiting }: BatchOptions<T, R>): Batch<T, R> {
  let waiting: Array<PromiseWithResolvers<R> & { item: T }> = []
  let running: Promise<void> | undefined

  const work = async () => {
    while (waiting.length > 0) {
      const asked = waiting.slice(0, most)
      waiting = waiting.slice(most)
      try {
        const answers = await run(asked.map(({ item }) => item))
        for (const [index, one] of asked.entries()) one.resolve(answers[index] as R)
      } catch (error) {
        for (const one of asked) one.reject(error)
      }
    }
    running = undefined
  }

  return {
    add(item) {
      if (waiting.length >= mostWaiting) return Promise.reject(new Error('too many wait for the stored sessions'))
      const one = Promise.withResolvers<R>()
      waiting.push({ ...one, item })
      // What is asked in the same turn goes together.
      running ??= Promise.resolve().then(work)
      return one.promise
    },
    settled: () => running ?? Promise.resolve(),
  }
}
