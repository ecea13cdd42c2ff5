/** Work that several servers share: rows are claimed, worked on side by side, and the next ones are claimed. */
import type { Loop, LoopWork } from './loop.ts'

export interface ClaimWork<Row> extends Omit<LoopWork, 'turn' | 'firstMs'> {
  /** Rows that this server works on at the same time. */
  places: number
  /** Takes at most so many in one statement that passes over what others hold, and gives each a lease. */
  claim(room: number): Promise<Row[]>
  /** Notes by itself what came of it. When it throws, the lease runs out and the row is claimed again. */
  work(row: Row, stopping: AbortSignal): Promise<void>
}

export type ClaimLoop = Omit<Loop, 'flush'>

export function makeClaimLoop<Row>(
  { places, claim, work, ...rest }: ClaimWork<Row>,
  makeLoop: (work: LoopWork) => Loop,
  failed: (error: unknown) => void,
): ClaimLoop {
  const stopping = new AbortController()
  const flying = new Set<Promise<void>>()
  const launch = (row: Row) => {
    const flight = work(row, stopping.signal)
      .catch(failed)
      .finally(() => {
        flying.delete(flight)
        loop.wake()
      })
    flying.add(flight)
  }
  const loop = makeLoop({
    ...rest,
    async turn() {
      const room = places - flying.size
      if (room > 0) for (const row of await claim(room)) launch(row)
      return undefined
    },
  })
  return {
    start: loop.start,
    wake: loop.wake,
    async stop() {
      stopping.abort()
      await loop.stop()
      await Promise.all(flying)
    },
  }
}
