/** One piece of work that is done again and again, never twice at a time (architecture.md "Background work"). */
import type { Clock } from '#ports/clock.ts'

/** A database that is away is asked this often at least, so that work goes on soon after it is back. */
const longestRetryMs = 5_000
const usualRetryMs = 1_000
/** The longest time that a timer of Node can count. */
const longestTimerMs = 2 ** 31 - 1

export interface LoopWork {
  /** In logs and metrics. */
  name: string
  /** Looks again so long after the turn before. Without it only when it is woken. */
  everyMs?: number | undefined
  /** The first turn is so long after the start; without it at once, if there is an interval. */
  firstMs?: number
  /** After a failure, doubled while it goes on failing up to 5 s. Without it `everyMs`. */
  retryMs?: number
  /** @returns the next moment at which there is something to do, when it is known */
  turn(): Promise<number | undefined>
}

export interface Loop {
  start(): void
  /** There is something to do, at once or at the moment given; while it fails, at the next try. */
  wake(at?: number): void
  /** One turn now, after the one at work. @returns whether it succeeded */
  flush(): Promise<boolean>
  /** No further turns; waits for the one at work. */
  stop(): Promise<void>
}

export interface LoopWatcher {
  ended(ms: number, error: unknown): void
}

export function makeLoop(clock: Clock, work: LoopWork, watcher: LoopWatcher): Loop {
  const { everyMs = Number.POSITIVE_INFINITY, retryMs = work.everyMs ?? usualRetryMs } = work
  const mostRetryMs = Math.max(retryMs, longestRetryMs)
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY
  let running: Promise<boolean> | undefined
  /** Asked for while a turn was at work. */
  let wanted = Number.POSITIVE_INFINITY
  let failures = 0
  let retryAt = 0
  let stopped = true

  const plan = (at: number) => {
    if (stopped || at >= timerAt) return
    clearTimeout(timer)
    timerAt = at
    // A moment that is far away is looked at again meanwhile: clocks are set and machines sleep.
    const longestMs = Math.min(failures > 0 ? mostRetryMs : everyMs, longestTimerMs)
    timer = setTimeout(begin, Math.max(0, Math.min(at - clock.now(), longestMs))).unref()
  }

  const attempt = async (): Promise<boolean> => {
    const begun = performance.now()
    wanted = Number.POSITIVE_INFINITY
    try {
      const next = await work.turn()
      wanted = Math.min(wanted, next ?? wanted)
      failures = 0
      watcher.ended(performance.now() - begun, undefined)
      return true
    } catch (error) {
      retryAt = clock.now() + Math.min(retryMs * 2 ** failures, mostRetryMs)
      failures += 1
      watcher.ended(performance.now() - begun, error)
      return false
    }
  }

  const begin = (): Promise<boolean> => {
    clearTimeout(timer)
    timerAt = Number.POSITIVE_INFINITY
    running ??= attempt().finally(() => {
      running = undefined
      plan(failures > 0 ? retryAt : Math.min(wanted, clock.now() + everyMs))
    })
    return running
  }

  return {
    start() {
      stopped = false
      if (work.firstMs !== undefined) plan(clock.now() + work.firstMs)
      else if (work.everyMs !== undefined) void begin()
    },
    wake(at = clock.now()) {
      if (running !== undefined) wanted = Math.min(wanted, at)
      else plan(failures > 0 ? Math.max(at, retryAt) : at)
    },
    async flush() {
      await running
      return begin()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
