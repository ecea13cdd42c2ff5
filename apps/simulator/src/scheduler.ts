/** One timer for thousands of devices: a heap of what is due, the earliest first. */
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
  const heap: Entry[] = []
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY
  let live = 0

  const at = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY
  const swap = (one: number, other: number) => {
    const kept = heap[one] as Entry
    heap[one] = heap[other] as Entry
    heap[other] = kept
  }

  function push(entry: Entry): void {
    let index = heap.push(entry) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (at(parent) <= entry.at) break
      swap(index, parent)
      index = parent
    }
  }

  function pop(): Entry | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last || first === last) return first
    heap[0] = last
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const smaller = at(left + 1) < at(left) ? left + 1 : left
      if (at(smaller) >= at(index)) return first
      swap(index, smaller)
      index = smaller
    }
  }

  function plan(): void {
    const next = at(0)
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
    while (at(0) <= now) {
      const { run } = pop() as Entry
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
      push(entry)
      plan()
      return () => {
        if (!entry.run) return
        // Left in the heap without its work; it goes when its time comes.
        entry.run = undefined
        live--
        if (live === 0) {
          heap.length = 0
          plan()
        }
      }
    },
    get waiting() {
      return live
    },
  }
}
