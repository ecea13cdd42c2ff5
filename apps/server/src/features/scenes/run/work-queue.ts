/**
 * What runs have to do, in two lanes: the first actions of firings, and everything after them. So a burst of triggers has
 * its first effects soon, and what follows is done beside it.
 */
export type Lane = 'first' | 'later'

export interface WorkQueue {
  add(lane: Lane, work: () => Promise<void>): void
  /** Waiting for their turn. */
  readonly waiting: number
  readonly running: number
  /** Resolves when nothing is left, or after the time. */
  drained(ms: number): Promise<void>
}

export function makeWorkQueue(places: Record<Lane, number>, failed: (error: unknown) => void): WorkQueue {
  const lanes: Record<Lane, Array<() => Promise<void>>> = { first: [], later: [] }
  const busy: Record<Lane, number> = { first: 0, later: 0 }
  let idle: (() => void) | undefined
  const waiting = () => lanes.first.length + lanes.later.length
  const running = () => busy.first + busy.later

  const pump = (lane: Lane) => {
    while (busy[lane] < places[lane]) {
      const work = lanes[lane].shift()
      if (!work) return
      busy[lane] += 1
      void work()
        .catch(failed)
        .finally(() => {
          busy[lane] -= 1
          pump(lane)
          if (running() + waiting() === 0) idle?.()
        })
    }
  }

  return {
    add(lane, work) {
      lanes[lane].push(work)
      pump(lane)
    },
    get waiting() {
      return waiting()
    },
    get running() {
      return running()
    },
    async drained(ms) {
      if (running() + waiting() === 0) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        idle = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
  }
}
