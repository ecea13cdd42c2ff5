/** A binary heap of what is due: the earliest entry first. */
export class DueHeap<E extends { readonly at: number }> {
  #entries: E[] = []

  get size(): number {
    return this.#entries.length
  }

  /** When the first entry is due; infinite when there is none. */
  get firstAt(): number {
    return this.#at(0)
  }

  push(entry: E): void {
    let child = this.#entries.push(entry) - 1
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (this.#at(parent) <= entry.at) return
      this.#swap(parent, child)
      child = parent
    }
  }

  pop(): E | undefined {
    const first = this.#entries[0]
    const last = this.#entries.pop()
    if (!last || this.#entries.length === 0) return first
    this.#entries[0] = last
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1
      const smaller = this.#at(left + 1) < this.#at(left) ? left + 1 : left
      if (this.#at(smaller) >= this.#at(parent)) return first
      this.#swap(parent, smaller)
      parent = smaller
    }
  }

  keep(isWanted: (entry: E) => boolean): void {
    // A sorted list is a heap.
    this.#entries = this.#entries.filter(isWanted).sort((a, b) => a.at - b.at)
  }

  #at(index: number): number {
    return this.#entries[index]?.at ?? Number.POSITIVE_INFINITY
  }

  #swap(a: number, b: number): void {
    const one = this.#entries[a] as E
    this.#entries[a] = this.#entries[b] as E
    this.#entries[b] = one
  }
}
