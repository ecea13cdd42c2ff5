/** What becomes due in virtual time: the nearest moment first, equal moments in the order they were added. */
interface Moment<T> {
  at: number
  no: number
  what: T
}

const isBefore = <T>(one: Moment<T>, other: Moment<T>) =>
  one.at < other.at || (one.at === other.at && one.no < other.no)

export interface MomentHeap<T> {
  add(at: number, what: T): void
  /** The nearest one at or before the moment. */
  take(until: number): { at: number; what: T } | undefined
}

export function makeMomentHeap<T>(): MomentHeap<T> {
  const heap: Array<Moment<T>> = []
  let count = 0

  const rise = (moment: Moment<T>) => {
    let place = heap.length
    heap.push(moment)
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above]
      if (!parent || isBefore(parent, moment)) break
      heap[place] = parent
      place = above
    }
    heap[place] = moment
  }
  const sink = (moment: Moment<T>) => {
    let place = 0
    for (;;) {
      const left = heap[2 * place + 1]
      if (!left) break
      const right = heap[2 * place + 2]
      const below = right && isBefore(right, left) ? 2 * place + 2 : 2 * place + 1
      const child = right && below === 2 * place + 2 ? right : left
      if (isBefore(moment, child)) break
      heap[place] = child
      place = below
    }
    heap[place] = moment
  }

  return {
    add: (at, what) => rise({ at, no: count++, what }),
    take(until) {
      const [first] = heap
      if (!first || first.at > until) return undefined
      const last = heap.pop()
      if (last && last !== first) sink(last)
      return first
    },
  }
}
