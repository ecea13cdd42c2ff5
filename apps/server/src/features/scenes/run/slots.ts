/** A bounded number of things at the same time; the others wait in their order. */
export interface Slots {
  use<T>(work: () => Promise<T>): Promise<T>
}

export function makeSlots(most: number): Slots {
  let busy = 0
  const waiting: Array<() => void> = []
  const release = () => {
    const next = waiting.shift()
    // The place is handed on, so that nobody who comes later takes it first.
    if (next) next()
    else busy -= 1
  }
  return {
    async use(work) {
      if (busy < most) busy += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
