/** Looks at the database for what is due: at the nearest known moment, and every now and then because others write too. */
import type { Logger } from 'pino'
import type { Clock } from '#ports/clock.ts'

export interface LookLoop {
  /** Something is due then: look at that moment. */
  expect(at: number): void
  start(): void
  stop(): Promise<void>
}

export function makeLookLoop(
  { clock, log }: { clock: Clock; log: Logger },
  everyMs: number,
  /** @returns the next known moment */
  look: () => Promise<number | undefined>,
): LookLoop {
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY
  let running: Promise<void> | undefined
  let busy = false
  let again = false
  let stopped = true

  const run = () => {
    timer = undefined
    timerAt = Number.POSITIVE_INFINITY
    if (busy) {
      again = true
      return
    }
    busy = true
    let next: number | undefined
    running = look()
      .then((at) => {
        next = at
      })
      .catch((error: unknown) => log.warn({ err: error }, 'scenes that are due could not be looked for'))
      .finally(() => {
        running = undefined
        busy = false
        const soon = again
        again = false
        schedule(soon ? clock.now() : Math.min(next ?? Number.POSITIVE_INFINITY, clock.now() + everyMs))
      })
  }

  const schedule = (at: number) => {
    if (stopped || at >= timerAt) return
    clearTimeout(timer)
    timerAt = at
    // Timers may come a moment early; and a clock that was set is noticed with the next regular look.
    timer = setTimeout(run, Math.max(0, Math.min(at - clock.now(), everyMs))).unref()
  }

  return {
    expect: schedule,
    start() {
      stopped = false
      schedule(clock.now())
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
