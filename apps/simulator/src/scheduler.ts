/** One timer for thousands of devices. */
import { DueHeap } from '@ithings/contract/due-heap.ts'

export type Cancel = () => void

export interface Scheduler {
  after(ms: number, run: () => void): Cancel
  readonly waiting: number
}

interface Entry {
  at: number
  run: (() => void) | undefined
}

/** Node fires timers at whole milliseconds; closer together than this is the same moment. */
const sameMoment = 1
/** Timers cannot be longer (2 ** 31 ms); the heap is looked at again then. */
const longestWait = 60_000

export function makeScheduler(): Scheduler {
  let heap = new DueHeap<Entry>()
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY
  let live = 0

  function plan(): void {
    const next = heap.firstAt
    if (next === timerAt) return
    clearTimeout(timer)
    timerAt = next
    timer =
      next === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(fire, Math.min(longestWait, Math.max(0, next - performance.now())))
  }

  function fire(): void {
    timerAt = Number.POSITIVE_INFINITY
    const now = performance.now() + sameMoment
    while (heap.firstAt <= now) {
      const run = heap.pop()?.run
      if (!run) continue
      live--
      run()
    }
    plan()
  }

  return {
    after(ms, run) {
      const entry: Entry = { at: performance.now() + ms, run }
      live++
      heap.push(entry)
      plan()
      return () => {
        if (!entry.run) return
        // Left in the heap without its work; it goes when its time comes.
        entry.run = undefined
        live--
        if (live === 0) {
          heap = new DueHeap()
          plan()
        }
      }
    },
    get waiting() {
      return live
    },
  }
}
