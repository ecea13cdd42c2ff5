/** Calls a piece of work again and again, soon after it asked to be, or at once when nudged; never twice at a time. */
export interface Ticker {
  nudge(): void
  start(): void
  stop(): Promise<void>
}

/** @param work returns after how many ms it wants to be called again; must not throw */
export function makeTicker(work: () => Promise<number>): Ticker {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false
  let stopped = true

  const turn = () => {
    clearTimeout(timer)
    if (stopped) return
    again = false
    running = work().then((delay) => {
      running = undefined
      if (!stopped) timer = setTimeout(turn, again ? 0 : delay).unref()
    })
  }

  return {
    nudge() {
      again = true
      if (!running) turn()
    },
    start() {
      stopped = false
      turn()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
