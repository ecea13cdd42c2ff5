/** One timer for everything that becomes due: the nearest moment first. */
import { DueHeap } from '@ithings/contract/due-heap.ts'
import type { Clock } from '#ports/clock.ts'

/** From here on what nobody wants any more is thrown out now and then. */
const fewest = 10_000
/** A clock that is set, or a machine that slept, is noticed this soon. */
const longestMs = 1_000

interface Due<T> {
  at: number
  what: T
}

export interface DueTimer<T> {
  add(at: number, what: T): void
  readonly size: number
  stop(): void
}

/** What is no longer wanted stays for a while. */
export function makeDueTimer<T>(
  clock: Clock,
  onDue: (what: T) => void,
  isWanted: (what: T, at: number) => boolean,
): DueTimer<T> {
  const heap = new DueHeap<Due<T>>()
  let tidyAt = fewest
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY
  let stopped = false

  const run = () => {
    timer = undefined
    timerAt = Number.POSITIVE_INFINITY
    const now = clock.now()
    while (heap.firstAt <= now) {
      const due = heap.pop()
      if (due) onDue(due.what)
    }
    schedule()
  }

  const schedule = () => {
    const next = heap.firstAt
    if (stopped || next >= timerAt || next === Number.POSITIVE_INFINITY) return
    clearTimeout(timer)
    timerAt = next
    timer = setTimeout(run, Math.max(0, Math.min(next - clock.now(), longestMs))).unref()
  }

  return {
    add(at, what) {
      if (heap.size >= tidyAt) {
        heap.keep((one) => isWanted(one.what, one.at))
        tidyAt = Math.max(fewest, 2 * heap.size)
      }
      heap.push({ at, what })
      schedule()
    },
    get size() {
      return heap.size
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
