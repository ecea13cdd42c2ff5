/** Asks queries again when told that they are old. Notices may come faster than answers: no answer is thrown away. */
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { hashKey } from '@tanstack/react-query'

export interface Refresher {
  /** The data changed just now: whatever is on its way may be older, so it is asked once more afterwards. */
  changed: (key: QueryKey) => void
  /** The data may have changed before now: an answer that is on its way is good enough. */
  uncertain: (key: QueryKey) => void
}

export function makeRefresher(client: QueryClient): Refresher {
  /** Keys at work; true: once more. */
  const working = new Map<string, boolean>()

  async function work(key: QueryKey, hash: string): Promise<void> {
    do {
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
      if (client.isFetching({ queryKey: key }) === 0) void work(key, hashKey(key))
    },
  }
}
