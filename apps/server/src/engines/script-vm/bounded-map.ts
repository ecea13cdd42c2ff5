/** A map that forgets what was used longest ago once it is full. */
export interface BoundedMap<K, V> {
  get(key: K): V | undefined
  /** Answers the key that had to go, if any. */
  set(key: K, value: V): K | undefined
  delete(key: K): void
  has(key: K): boolean
}

export function makeBoundedMap<K, V>(capacity: number): BoundedMap<K, V> {
  const entries = new Map<K, V>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= capacity) return undefined
      const oldest = entries.keys().next()
      if (oldest.done) return undefined
      entries.delete(oldest.value)
      return oldest.value
    },
    delete: (key) => void entries.delete(key),
    has: (key) => entries.has(key),
  }
}
