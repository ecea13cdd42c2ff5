/** The engine of everything that the platform does by itself; which work there is: architecture.md "Background work". */
import type { Logger } from 'pino'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '#ports/clock.ts'
import { type ClaimLoop, type ClaimWork, makeClaimLoop } from './claim-loop.ts'
import { type Loop, type LoopWatcher, type LoopWork, makeLoop } from './loop.ts'

export interface Background {
  /** Begun at once, done again and again, and ended by `stop`. */
  every(work: Omit<LoopWork, 'turn'> & { run(): Promise<unknown> }): Loop
  /** The same for work that knows its next moment or is woken; begun by `start`. */
  loop(work: LoopWork): Loop
  claimLoop<Row>(work: ClaimWork<Row>): ClaimLoop
}

function makeMeters(metrics: Registry) {
  const shared = { labelNames: ['work'], registers: [metrics] }
  return {
    turns: new Counter({ name: 'ithings_background_turns_total', help: 'Turns of background work', ...shared }),
    failures: new Counter({ name: 'ithings_background_failures_total', help: 'Turns that failed', ...shared }),
    seconds: new Counter({ name: 'ithings_background_seconds_total', help: 'Time spent in turns', ...shared }),
    failing: new Gauge({ name: 'ithings_background_failing', help: '1 while the last turn failed', ...shared }),
  }
}

export function makeBackground({ clock, log, metrics }: { clock: Clock; log: Logger; metrics: Registry }): Background {
  const meters = makeMeters(metrics)

  /** Says once that something fails and once that it goes on, however long the database was away. */
  const watch = (work: string): LoopWatcher => {
    let failures = 0
    meters.failing.set({ work }, 0)
    return {
      ended(ms, error) {
        meters.turns.inc({ work })
        meters.seconds.inc({ work }, ms / 1000)
        if (error === undefined) {
          if (failures > 0) log.info({ work, failures }, 'background work goes on')
          failures = 0
        } else {
          if (failures === 0) log.warn({ err: error, work }, 'background work failed, trying again')
          failures += 1
          meters.failures.inc({ work })
        }
        meters.failing.set({ work }, failures > 0 ? 1 : 0)
      },
    }
  }

  const loop = (work: LoopWork) => makeLoop(clock, work, watch(work.name))
  return {
    loop,
    every({ run, ...work }) {
      const begun = loop({ ...work, turn: () => run().then(() => undefined) })
      begun.start()
      return begun
    },
    claimLoop: (work) =>
      makeClaimLoop(work, loop, (error) => log.error({ err: error, work: work.name }, 'claimed work was not ended')),
  }
}
