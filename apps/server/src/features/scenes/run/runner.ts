/**
 * Runs scenes. A firing becomes a stored run first (its cause makes it one), then its actions follow in their order;
 * nothing else stands between the trigger and the first action.
 */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { RunResult, runResultLabels } from '@ithings/contract/features/scenes/info.ts'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { SceneFiring, SceneRunner } from '../engine/engine-types.ts'
import { makeMisses } from '../watch/misses.ts'
import { makeActionTexts } from './action-texts.ts'
import { makeDeviceReplies } from './device-replies.ts'
import { type ExecuteKit, executeGroup, executeRun } from './execute-run.ts'
import type { OpenRun } from './open-run.ts'
import { persist } from './persist.ts'
import { makeRateLimit } from './rate-limit.ts'
import { makeResume } from './resume.ts'
import { findOwnRun, insertRun } from './run-store.ts'
import { defaultLimits, type RunnerKit } from './runner-kit.ts'
import { makeSceneMarks } from './scene-marks.ts'
import { makeSchedule } from './schedule.ts'
import { makeSlots } from './slots.ts'
import { makeWorkQueue, type WorkQueue } from './work-queue.ts'

export interface RunningScenes extends SceneRunner {
  /** Resolves with the run once it is stored; throws when it may not run now. */
  trigger(firing: SceneFiring): Promise<number>
  start(): Promise<void>
  stop(): Promise<void>
}

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

export function makeSceneRunner(kit: RunnerKit): RunningScenes {
  const { db, clock, bus, log, serverID } = kit
  const limits = { ...defaultLimits, ...kit.limits }
  const rate = makeRateLimit(limits.runsPerMinute)
  const misses = makeMisses({ db, clock, log })
  const marks = makeSceneMarks({ db, bus, log })
  const replies = makeDeviceReplies(kit, marks)
  const open = new Set<number>()
  /** Firings that are not stored yet. */
  const unstored = new Set<SceneFiring>()
  let stopping = false
  let startedAt = 0
  const places = { first: limits.concurrent, later: Math.max(1, Math.ceil(limits.concurrent / 4)) }
  const queue = makeWorkQueue(places, (error) => log.error({ err: error }, 'a run of a scene failed'))
  const counters = makeCounters(kit.metrics, queue)

  const execute: ExecuteKit = {
    ...kit,
    bounds: limits,
    sends: makeSlots(limits.sends),
    patientUntil: () => startedAt + limits.comeBackMs,
    fire: (firing) => fire(firing),
    texts: makeActionTexts(kit),
    marks,
    replies,
    expectDue: (at) => resume.expect(at),
    stopping: () => stopping,
    count: counters.ran,
  }

  /** Others do not take it for forgotten while it is worked at here. */
  const known = (run: OpenRun, work: () => Promise<void>) => {
    open.add(run.runID)
    return () => work().finally(() => open.delete(run.runID))
  }

  /** The connection may break after the row was written: then it is ours all the same. */
  const store = (firing: SceneFiring) =>
    persist(
      kit,
      async (attempt) =>
        (await insertRun(db, firing, { serverID, now: clock.now() })) ??
        (attempt > 0 ? await findOwnRun(db, firing, serverID) : undefined),
    )

  /** @returns what is left to do at once */
  const startRun = async (firing: SceneFiring, stored: (run: OpenRun | undefined) => void) => {
    const run = await store(firing)
    if (run) open.add(run.runID)
    stored(run)
    if (!run) return undefined
    marks.fired(run.sceneID, run.startedAt)
    bus.emit('scene.ran', { sceneID: run.sceneID, runID: run.runID, result: RunResult.running })
    let more = false
    try {
      more = await executeGroup(execute, run)
    } finally {
      open.delete(run.runID)
    }
    return more ? known(run, () => executeRun(execute, run)) : undefined
  }

  const whyNot = (firing: SceneFiring): string | undefined => {
    if (queue.waiting >= limits.waiting) {
      counters.dropped('queue')
      return `等待执行的场景已有 ${limits.waiting} 个`
    }
    if (rate.take(firing.sceneID, clock.now())) return undefined
    counters.dropped('rate')
    return `超过每分钟 ${limits.runsPerMinute} 次`
  }

  const refuse = (firing: SceneFiring, reason: string) => {
    const { sceneID, triggerText, conditions, device, traceID } = firing
    misses.add({ sceneID, reason, triggerText, conditions, device, traceID })
  }

  const enqueue = (
    firing: SceneFiring,
    stored: (run: OpenRun | undefined) => void = () => undefined,
    lost: (error: unknown) => void = () => undefined,
  ) => {
    unstored.add(firing)
    const work = async () => {
      try {
        return await startRun(firing, (run) => {
          unstored.delete(firing)
          stored(run)
        })
      } catch (error) {
        unstored.delete(firing)
        lost(error)
        throw error
      }
    }
    queue.first(work, firing.device?.deviceID)
  }

  const fire = (firing: SceneFiring): string | undefined => {
    const reason = whyNot(firing)
    if (reason) refuse(firing, reason)
    else enqueue(firing)
    return reason
  }

  const resume = makeResume({
    kit: execute,
    open: () => [...open],
    room: () => limits.waiting - queue.waiting,
    enqueue: (run, work) => queue.later(known(run, work)),
    lookMs: kit.lookMs,
  })
  const schedule = makeSchedule({ ...kit, fire, misses })

  return {
    fire,
    trigger(firing) {
      const reason = whyNot(firing)
      if (reason) {
        refuse(firing, reason)
        return Promise.reject(new AppError(errors.rateLimited, { detail: reason }))
      }
      return new Promise((resolve, reject) => {
        const stored = (run: OpenRun | undefined) =>
          run ? resolve(run.runID) : reject(new AppError(errors.notEnabled, { detail: `场景 ${firing.sceneID}` }))
        enqueue(firing, stored, reject)
      })
    },
    unstoredSince() {
      let oldest: number | undefined
      for (const { firedAt } of unstored) oldest = Math.min(oldest ?? firedAt, firedAt)
      return oldest
    },
    async start() {
      stopping = false
      startedAt = clock.now()
      misses.start()
      await marks.start()
      replies.start()
      resume.start()
      schedule.start()
    },
    async stop() {
      stopping = true
      await schedule.stop()
      await resume.stop()
      await queue.drained(limits.stopMs)
      await replies.stop()
      await marks.stop()
      await misses.stop()
    },
  }
}
