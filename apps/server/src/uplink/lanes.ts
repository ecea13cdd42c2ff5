/**
 * One message of a device at a time through the steps before storing, many devices side by side: "latest value" and
 * rules need arrival order. Work that needs no waiting runs at once; only what awaits makes others queue.
 */
export interface Lanes {
  run<T>(lane: string, work: () => T | Promise<T>): T | Promise<T>
  /** Lanes with somebody in them. */
  readonly busy: number
}

export function makeLanes(): Lanes {
  const tails = new Map<string, Promise<unknown>>()

  const follow = <T>(lane: string, promise: Promise<T>): Promise<T> => {
    const tail = promise
      .catch(() => undefined)
      .then(() => {
        if (tails.get(lane) === tail) tails.delete(lane)
      })
    tails.set(lane, tail)
    return promise
  }

  return {
    run(lane, work) {
      const before = tails.get(lane)
      if (before !== undefined) return follow(lane, before.then(work))
      const result = work()
      return result instanceof Promise ? follow(lane, result) : result
    },
    get busy() {
      return tails.size
    },
  }
}
