/** What device tasks do by themselves: schedules, answers of devices, mending. */
import type { RolloutKind } from '#features/rollouts/door.ts'
import { makeAnswers } from './answers.ts'
import { endHalted, endPatience, mendPreparing, restOrphans } from './mend-runs.ts'
import { runDue } from './schedule.ts'
import { taskKind } from './task-kind.ts'
import type { TasksKit } from './tasks-kit.ts'

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

export function makeTaskWork(kit: TasksKit): TaskWork {
  const { bus, clock, log, signal } = kit
  const answers = makeAnswers(kit)
  let stopped = true
  let mendAt = 0
  let patientUntil = 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const ends: Array<() => void> = []
  const halting = new Set<Promise<void>>()

  const attempt = (what: string, work: () => Promise<unknown>): Promise<void> =>
    work().then(
      () => undefined,
      (error: unknown) => log.warn({ err: error }, what),
    )

  const mend = async () => {
    await attempt('answers of devices could not be looked for', () => answers.sweep())
    await attempt('halted runs could not be ended', () => endHalted(kit))
    await attempt('runs without devices could not be mended', () => mendPreparing(kit))
    await attempt('devices that did not come back could not be looked for', () => endPatience(kit, patienceMs))
    await attempt('schedules of what is gone could not be ended', () => restOrphans(kit))
  }
  const look = async () => {
    let next: number | undefined
    await attempt('tasks that are due could not be looked for', async () => {
      next = await runDue(kit)
    })
    if (clock.now() >= mendAt) {
      mendAt = clock.now() + mendMs
      await mend()
    }
    plan(Math.max(0, Math.min((next ?? Number.POSITIVE_INFINITY) - clock.now(), lookMs)))
  }
  const plan = (ms: number) => {
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = look()
    }, ms).unref()
  }
  // Products and groups go seldom; what belonged to them rests at once.
  const soon = () => {
    mendAt = 0
  }
  signal.on('product.changed', soon)
  signal.on('group.changed', soon)

  return {
    kind: taskKind(kit, answers, () => clock.now() < patientUntil),
    start() {
      stopped = false
      patientUntil = clock.now() + patienceMs
      answers.start()
      ends.push(
        bus.on('rollout.changed', ({ kind, runID }) => {
          if (kind !== 'task' || stopped) return
          const ending = attempt('a halted run could not be ended', () => endHalted(kit, runID)).finally(() =>
            halting.delete(ending),
          )
          halting.add(ending)
        }),
      )
      plan(0)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      for (const end of ends.splice(0)) end()
      await running
      await Promise.all(halting)
      await answers.stop()
    },
  }
}
