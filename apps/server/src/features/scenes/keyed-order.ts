/** What has the same key is done one after the other, in its order: whoever is not the first stands behind it. */
export interface KeyedOrder<T> {
  /** @returns whether it is its turn; else `leave` gives it out when those before it are done */
  enter(key: number, one: T): boolean
  /** The one whose turn it was is done. @returns whose turn it is now */
  leave(key: number): T | undefined
  has(key: number): boolean
  /** Standing behind another. */
  readonly waiting: number
}

export function makeKeyedOrder<T>(): KeyedOrder<T> {
  const lines = new Map<number, T[]>()
  let waiting = 0
  return {
    enter(key, one) {
      const line = lines.get(key)
      if (line) {
        line.push(one)
        waiting += 1
      } else lines.set(key, [])
      return line === undefined
    },
    leave(key) {
      const next = lines.get(key)?.shift()
      if (next === undefined) lines.delete(key)
      else waiting -= 1
      return next
    },
    has: (key) => lines.size > 0 && lines.has(key),
    get waiting() {
      return waiting
    },
  }
}
