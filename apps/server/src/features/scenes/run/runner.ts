/**
 * Runs scenes. A firing becomes a stored run first (its cause makes it one), then its actions follow in their order;
 * nothing else stands between the trigger and the first action.
 */

import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { RunResult, runResultLabels } from '@ithings/contract/features/scenes/info.ts'
import { keep, type Phrase, phrase } from '@ithings/contract/text.ts'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Loop } from '#background/loop.ts'
import type { SceneFiring, SceneRunner } from '../engine/engine-types.ts'
import { type Misses, makeMisses } from '../watch/misses.ts'
import { makeActionTexts } from './action-texts.ts'
import { makeDeviceReplies } from './device-replies.ts'
import { type ExecuteDeps, executeGroup, executeRun } from './execute-run.ts'
import type { OpenRun } from './open-run.ts'
import { persist } from './persist.ts'
import { makeRateLimit, type RateLimit } from './rate-limit.ts'
import { makeResume } from './resume.ts'
import { findOwnRun, insertRun } from './run-store.ts'
import { defaultLimits, type RunLimits, type RunnerDeps } from './runner-deps.ts'
import { makeSceneMarks, type SceneMarks } from './scene-marks.ts'
import { makeSchedule } from './schedule.ts'
import { makeSlots } from './slots.ts'
import { makeWorkQueue, type WorkQueue } from './work-queue.ts'

function makeCounters(metrics: Registry, queue: Pick<WorkQueue, 'running' | 'waiting'>) {
  const runs = new Counter({
    name: 'ithings_scene_runs_total',
    help: 'Runs of scenes by what they came to',
    labelNames: ['result'],
    registers: [metrics],
  })
  const dropped = new Counter({
    name: 'ithings_scene_dropped_total',
    help: 'Firings of scenes that were not run, by the limit they met',
    labelNames: ['limit'],
    registers: [metrics],
  })
  new Gauge({
    name: 'ithings_scene_runs',
    help: 'Runs of scenes at work and waiting for their turn',
    labelNames: ['state'],
    registers: [metrics],
    collect() {
      this.set({ state: 'running' }, queue.running)
      this.set({ state: 'waiting' }, queue.waiting)
    },
  })
  return {
    ran: (result: RunResult) => runs.inc({ result: runResultLabels[result] }),
    dropped: (limit: 'rate' | 'queue') => dropped.inc({ limit }),
  }
}

export class RunningScenes implements SceneRunner {
  readonly #deps: RunnerDeps
  readonly #limits: RunLimits
  readonly #rate: RateLimit
  readonly #misses: Misses
  readonly #marks: SceneMarks
  readonly #queue: WorkQueue
  readonly #counters: ReturnType<typeof makeCounters>
  readonly #execute: ExecuteDeps
  readonly #resume: Loop
  readonly #schedule: Loop
  readonly #open = new Set<number>()
  /** Firings that are not stored yet. */
  readonly #unstored = new Set<SceneFiring>()
  #stopping = false
  #startedAt = 0

  constructor(deps: RunnerDeps) {
    this.#deps = deps
    const limits = { ...defaultLimits, ...deps.limits }
    this.#limits = limits
    this.#rate = makeRateLimit(limits.runsPerMinute)
    this.#misses = makeMisses(deps)
    this.#marks = makeSceneMarks(deps)
    const places = { first: limits.concurrent, later: Math.max(1, Math.ceil(limits.concurrent / 4)) }
    this.#queue = makeWorkQueue(places, (error) => deps.log.error({ err: error }, 'a run of a scene failed'))
    this.#counters = makeCounters(deps.metrics, this.#queue)
    const fire = (firing: SceneFiring) => this.fire(firing)
    this.#execute = {
      ...deps,
      bounds: limits,
      sends: makeSlots(limits.sends),
      patientUntil: () => this.#startedAt + limits.comeBackMs,
      fire,
      texts: makeActionTexts(deps),
      marks: this.#marks,
      replies: makeDeviceReplies(deps, this.#marks),
      expectDue: (at) => this.#resume.wake(at),
      stopping: () => this.#stopping,
      count: this.#counters.ran,
    }
    this.#resume = makeResume({
      deps: this.#execute,
      open: () => [...this.#open],
      room: () => limits.waiting - this.#queue.waiting,
      enqueue: (run, work) => this.#queue.later(this.#known(run, work)),
      lookMs: deps.lookMs,
    })
    this.#schedule = makeSchedule({ ...deps, fire, misses: this.#misses })
  }

  /** Others do not take it for forgotten while it is worked at here. */
  #known(run: OpenRun, work: () => Promise<void>) {
    this.#open.add(run.runID)
    return () => work().finally(() => this.#open.delete(run.runID))
  }

  /** The connection may break after the row was written: then it is ours all the same. */
  #store(firing: SceneFiring): Promise<OpenRun | undefined> {
    const { db, clock, serverID } = this.#deps
    return persist(this.#deps, async (attempt) => {
      const run = await insertRun(db, firing, { serverID, now: clock.now() })
      return run ?? (attempt > 0 ? await findOwnRun(db, firing, serverID) : undefined)
    })
  }

  /** @returns what is left to do at once */
  async #startRun(firing: SceneFiring, stored: (run: OpenRun | undefined) => void) {
    const run = await this.#store(firing)
    if (run) this.#open.add(run.runID)
    stored(run)
    if (!run) return undefined
    this.#marks.fired(run.sceneID, run.startedAt)
    this.#deps.bus.emit('scene.ran', { sceneID: run.sceneID, runID: run.runID, result: RunResult.running })
    let more = false
    try {
      more = await executeGroup(this.#execute, run)
    } finally {
      this.#open.delete(run.runID)
    }
    return more ? this.#known(run, () => executeRun(this.#execute, run)) : undefined
  }

  #whyNot(firing: SceneFiring): Phrase | undefined {
    if (this.#queue.waiting >= this.#limits.waiting) {
      this.#counters.dropped('queue')
      return phrase('等待执行的场景已有 {count} 个', { count: this.#limits.waiting })
    }
    if (this.#rate.take(firing.sceneID, this.#deps.clock.now())) return undefined
    this.#counters.dropped('rate')
    return phrase('超过每分钟 {most} 次', { most: this.#limits.runsPerMinute })
  }

  #refuse(firing: SceneFiring, why: Phrase) {
    const { sceneID, triggerText, conditions, device, traceID } = firing
    const reason = keep([why])
    this.#misses.add({ sceneID, reason, triggerText, conditions, device, traceID })
  }

  #enqueue(
    firing: SceneFiring,
    stored: (run: OpenRun | undefined) => void = () => undefined,
    lost: (error: unknown) => void = () => undefined,
  ) {
    this.#unstored.add(firing)
    const work = async () => {
      try {
        return await this.#startRun(firing, (run) => {
          this.#unstored.delete(firing)
          stored(run)
        })
      } catch (error) {
        this.#unstored.delete(firing)
        lost(error)
        throw error
      }
    }
    this.#queue.first(work, firing.device?.deviceID)
  }

  fire(firing: SceneFiring): Phrase | undefined {
    const reason = this.#whyNot(firing)
    if (reason) this.#refuse(firing, reason)
    else this.#enqueue(firing)
    return reason
  }

  /** Resolves with the run once it is stored; throws when it may not run now. */
  trigger(firing: SceneFiring): Promise<number> {
    const reason = this.#whyNot(firing)
    if (reason) {
      this.#refuse(firing, reason)
      return Promise.reject(new AppError(errors.rateLimited, { detail: reason }))
    }
    return new Promise((resolve, reject) => {
      const stored = (run: OpenRun | undefined) =>
        run ? resolve(run.runID) : reject(refusal(errors.notEnabled, '场景 {sceneID}', { sceneID: firing.sceneID }))
      this.#enqueue(firing, stored, reject)
    })
  }

  unstoredSince(): number | undefined {
    let oldest: number | undefined
    for (const { firedAt } of this.#unstored) oldest = Math.min(oldest ?? firedAt, firedAt)
    return oldest
  }

  async start(): Promise<void> {
    this.#stopping = false
    this.#startedAt = this.#deps.clock.now()
    this.#misses.start()
    await this.#marks.start()
    this.#execute.replies.start()
    this.#resume.start()
    this.#schedule.start()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#schedule.stop()
    await this.#resume.stop()
    await this.#queue.drained(this.#limits.stopMs)
    await this.#execute.replies.stop()
    await this.#marks.stop()
    await this.#misses.stop()
  }
}
