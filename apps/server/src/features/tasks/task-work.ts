/** What device tasks do by themselves: schedules, answers of devices, mending. */
import type { RolloutKind } from '#features/rollouts/door.ts'
import { makeAnswers } from './answers.ts'
import { endHalted, endPatience, mendPreparing, restOrphans } from './mend-runs.ts'
import { runDue } from './schedule.ts'
import { taskKind } from './task-kind.ts'
import type { TasksDeps } from './tasks-deps.ts'

/** Others write moments too, and clocks are set. */
const lookMs = 1_000
const mendMs = 10_000
/** After a start devices need a moment to connect again; until then none of them is called offline. */
const patienceMs = 15_000

export interface TaskWork {
  kind: RolloutKind
  start(): void
  stop(): Promise<void>
}

export function makeTaskWork(deps: TasksDeps): TaskWork {
  const { bus, clock, log, signal, background } = deps
  const answers = makeAnswers(deps)
  let stopped = true
  let mendAt = 0
  let patientUntil = 0
  const ends: Array<() => void> = []
  const halting = new Set<Promise<void>>()

  const attempt = (what: string, work: () => Promise<unknown>): Promise<void> =>
    work().then(
      () => undefined,
      (error: unknown) => log.warn({ err: error }, what),
    )

  /** A step that fails does not keep the others from their work. */
  const mend = async () => {
    if (clock.now() < mendAt) return
    mendAt = clock.now() + mendMs
    await attempt('answers of devices could not be looked for', () => answers.sweep())
    await attempt('halted runs could not be ended', () => endHalted(deps))
    await attempt('runs without devices could not be mended', () => mendPreparing(deps))
    await attempt('devices that did not come back could not be looked for', () => endPatience(deps, patienceMs))
    await attempt('schedules of what is gone could not be ended', () => restOrphans(deps))
  }
  const schedule = background.loop({
    name: 'tasks.schedule',
    everyMs: lookMs,
    async turn() {
      try {
        return await runDue(deps)
      } finally {
        await mend()
      }
    },
  })
  // Products and groups go seldom; what belonged to them rests at once.
  const soon = () => {
    mendAt = 0
  }
  signal.on('product.changed', soon)
  signal.on('group.changed', soon)

  return {
    kind: taskKind(deps, answers, () => clock.now() < patientUntil),
    start() {
      stopped = false
      patientUntil = clock.now() + patienceMs
      answers.start()
      ends.push(
        bus.on('rollout.changed', ({ kind, runID }) => {
          if (kind !== 'task' || stopped) return
          const ending = attempt('a halted run could not be ended', () => endHalted(deps, runID)).finally(() =>
            halting.delete(ending),
          )
          halting.add(ending)
        }),
      )
      schedule.start()
    },
    async stop() {
      stopped = true
      for (const end of ends.splice(0)) end()
      await schedule.stop()
      await Promise.all(halting)
      await answers.stop()
    },
  }
}
