/** One timer for everything that becomes due: the nearest moment first. */
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

/** A binary heap; what is no longer wanted stays for a while. */
export function makeDueTimer<T>(
  clock: Clock,
  onDue: (what: T) => void,
  isWanted: (what: T, at: number) => boolean,
): DueTimer<T> {
  let heap: Array<Due<T>> = []
  let tidyAt = fewest
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY
  let stopped = false

  const at = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY
  const swap = (a: number, b: number) => {
    const one = heap[a] as Due<T>
    heap[a] = heap[b] as Due<T>
    heap[b] = one
  }
  const rise = (index: number) => {
    for (let child = index; child > 0; ) {
      const parent = (child - 1) >> 1
      if (at(parent) <= at(child)) return
      swap(parent, child)
      child = parent
    }
  }
  const sink = () => {
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1
      const smaller = at(left + 1) < at(left) ? left + 1 : left
      if (at(smaller) >= at(parent)) return
      swap(parent, smaller)
      parent = smaller
    }
  }
  const pop = (): Due<T> | undefined => {
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    heap[0] = last
    sink()
    return first
  }

  const run = () => {
    timer = undefined
    timerAt = Number.POSITIVE_INFINITY
    const now = clock.now()
    while (at(0) <= now) {
      const due = pop()
      if (due) onDue(due.what)
    }
    schedule()
  }

  const schedule = () => {
    const next = at(0)
    if (stopped || next >= timerAt || next === Number.POSITIVE_INFINITY) return
    clearTimeout(timer)
    timerAt = next
    timer = setTimeout(run, Math.max(0, Math.min(next - clock.now(), longestMs))).unref()
  }

  const tidy = () => {
    // A sorted list is a heap.
    heap = heap.filter((one) => isWanted(one.what, one.at)).sort((a, b) => a.at - b.at)
    tidyAt = Math.max(fewest, 2 * heap.length)
  }

  return {
    add(moment, what) {
      if (heap.length >= tidyAt) tidy()
      heap.push({ at: moment, what })
      rise(heap.length - 1)
      schedule()
    },
    get size() {
      return heap.length
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
