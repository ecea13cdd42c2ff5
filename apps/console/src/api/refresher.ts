/** Asks queries again when told that they are old. Notices may come faster than answers: no answer is thrown away. */
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { hashKey } from '@tanstack/react-query'

export interface Refresher {
  /** The data changed just now: whatever is on its way may be older, so it is asked once more afterwards. */
  changed: (key: QueryKey) => void
  /** The data may have changed before now: an answer that is on its way is good enough. */
  uncertain: (key: QueryKey) => void
}

/** @param gapMs many things are shown by one query: what changes within it is asked for together */
export function makeRefresher(client: QueryClient, gapMs = 0): Refresher {
  /** Keys at work; true: once more. */
  const working = new Map<string, boolean>()

  async function work(key: QueryKey, hash: string): Promise<void> {
    do {
      working.set(hash, false)
      if (gapMs > 0) await new Promise((resolve) => setTimeout(resolve, gapMs))
      working.set(hash, client.isFetching({ queryKey: key }) > 0)
      // Not cancelling: at two notices a second a slow answer would otherwise never arrive.
      await client.invalidateQueries({ queryKey: key }, { cancelRefetch: false })
    } while (working.get(hash))
    working.delete(hash)
  }

  return {
    changed(key) {
      const hash = hashKey(key)
      if (working.has(hash)) working.set(hash, true)
      else void work(key, hash)
    },
    uncertain(key) {
      const hash = hashKey(key)
      if (client.isFetching({ queryKey: key }) === 0 && !working.has(hash)) void work(key, hash)
    },
  }
}
