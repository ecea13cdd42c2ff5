/** Changes that are written together after a moment: of one thing the last word counts, and nothing is lost when it fails. */
import type { Background } from '#background/background.ts'
import type { Clock } from '#ports/clock.ts'

const flushMs = 50
const retryMs = 500
export const rowsAtOnce = 1_000
/** More than this waits only when the database is away: then the newest is not kept for a restart. */
const mostWaiting = 100_000

export interface BatchedChanges<C> {
  set(id: string, change: C): void
  /** Everything told so far is written, or could not be. */
  settled(): Promise<boolean>
  stop(): Promise<void>
  readonly waiting: number
}

export function makeBatchedChanges<C>(
  { background, clock }: { background: Background; clock: Clock },
  name: string,
  write: (changes: C[]) => Promise<void>,
): BatchedChanges<C> {
  let waiting = new Map<string, C>()
  const loop = background.loop({
    name,
    retryMs,
    async turn() {
      const changes = waiting
      waiting = new Map()
      const list = [...changes.values()]
      try {
        for (let from = 0; from < list.length; from += rowsAtOnce) await write(list.slice(from, from + rowsAtOnce))
      } catch (error) {
        // What came meanwhile is newer.
        waiting = new Map([...changes, ...waiting])
        throw error
      }
      return waiting.size > 0 ? clock.now() + flushMs : undefined
    },
  })
  loop.start()
  return {
    set(id, change) {
      if (waiting.size >= mostWaiting && !waiting.has(id)) return
      waiting.set(id, change)
      loop.wake(clock.now() + flushMs)
    },
    settled: () => loop.flush(),
    async stop() {
      await loop.stop()
      await loop.flush()
    },
    get waiting() {
      return waiting.size
    },
  }
}
