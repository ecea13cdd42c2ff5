/**
 * A trigger says yes: do the conditions hold? At once when memory knows all values, else in a bounded queue. Then the
 * firing is claimed where it must be, confirmed, and handed over; those of one device in the order of asking.
 */
import type { Logger } from 'pino'
import type { Clock } from '#ports/clock.ts'
import { type Asked, checkConditions, withSeen } from '../engine/check-conditions.ts'
import type { SceneRunner } from '../engine/engine-types.ts'
import { confirm } from '../engine/judge.ts'
import { makeLines } from '../lines.ts'
import { peekValues, readValues, type Seen, type Starter, sourceKey, type ValueKit } from './condition-values.ts'
import { type HoldStore, parked } from './hold-store.ts'
import type { Misses } from './misses.ts'
import type { SceneIndex } from './scene-index.ts'
import type { Entry } from './trigger-bucket.ts'
import type { Held, TriggerStates } from './trigger-states.ts'
import type { WatchMetrics } from './watch-metrics.ts'

/** Fewer than the pool has connections. */
const mostAtOnce = 8
const mostWaiting = 10_000

export interface Question {
  entry: Entry
  /** undefined: the trigger has no memory. */
  held: Held | undefined
  starter: Starter
  value: unknown
  /** Moment of the trigger. */
  at: number
  /** Since when it is true. */
  since: number
  traceID: string
  cause: string
  /** It was asked before, and the log knows why it did not fire. */
  again: boolean
  /** ms by our clock: for the latency of the run, and for the checkpoint. */
  askedAt: number
}

interface Waiting {
  deviceID: number
  work(): Promise<void>
}

export interface DecideKit extends ValueKit {
  clock: Clock
  log: Logger
  runner: SceneRunner
  misses: Misses
  store: HoldStore
  states: TriggerStates
  index: SceneIndex
  metrics: WatchMetrics
}

export function makeDecider(kit: DecideKit) {
  const { clock, log, runner, misses, store, states, index, metrics } = kit
  /** In the order of asking; those that run are in it too. */
  const open = new Set<Question>()
  const waiting: Waiting[] = []
  const devices = makeLines<Waiting>()
  let busy = 0
  let failedAt = Number.NEGATIVE_INFINITY

  const failed = (error: unknown, sceneID: number) => {
    metrics.failed.inc()
    if (clock.now() - failedAt < 1_000) return
    failedAt = clock.now()
    log.error({ err: error, sceneID }, 'a scene could not be judged')
  }

  const isCurrent = ({ entry }: Question) => index.entry(entry.key)?.scene.rev === entry.scene.rev

  const release = ({ held, entry }: Question) => {
    if (!held) return
    held.state.deciding = false
    states.settle(held, entry, clock.now())
  }

  const rowOf = ({ entry, since, starter, traceID, value }: Question, dueAt: number, firedAt: number | null) => ({
    sceneID: entry.scene.sceneID,
    no: entry.trigger.no,
    rev: entry.scene.rev,
    device: starter.device,
    since,
    dueAt,
    firedAt,
    seen: { value, traceID },
  })

  const miss = (question: Question, reason: string, conditions: ReturnType<typeof checkConditions>['list']) => {
    const { entry, starter, traceID, value } = question
    metrics.missed.inc()
    const { sceneID } = entry.scene
    const triggerText = withSeen(entry.trigger.text, value === undefined ? '' : entry.trigger.show(value))
    misses.add({ sceneID, reason, triggerText, conditions, device: starter.device, traceID })
  }

  /** A state that lasts, or a silence: one of all servers fires for it. */
  const needsClaim = ({ trigger }: Entry) => trigger.operator === 'noReport' || trigger.keepMs > 0
  /** What it was asked about has ended or begun anew since: by the message that found the timer late. */
  const isPast = ({ held, since }: Question): boolean => held?.state.since !== since
  const claim = async (question: Question): Promise<boolean> => {
    const { operator } = question.entry.trigger
    // Its row went with it; that it fires once is then the cause's matter (scene_run).
    if (operator !== 'noReport' && isPast(question)) return true
    const row = rowOf(question, parked, null)
    if (operator === 'noReport') return store.claimSilence(row, clock.now())
    const isPresence = operator === 'connected' || operator === 'disConnected'
    return store.claim(row, clock.now(), isPresence ? operator === 'connected' : undefined)
  }

  const fire = (question: Question, conditions: ReturnType<typeof checkConditions>['list']) => {
    const { entry, held, starter, value, at, traceID, cause, askedAt } = question
    const { scene, trigger } = entry
    if (held) {
      confirm(held.state, at)
      const isOver = isPast(question)
      // What is true now, if anything, has not fired.
      if (isOver) held.state.fired = false
      // Remembered over a restart for as long as the state lasts.
      if (trigger.once && trigger.keepMs === 0 && !isOver && trigger.operator !== 'noReport') {
        store.put(rowOf(question, parked, at))
        held.stored = true
      }
    }
    metrics.fired.inc()
    runner.fire({
      sceneID: scene.sceneID,
      cause,
      device: starter.device,
      triggerText: trigger.text,
      seen: {
        ...(trigger.dataID !== '' && { dataID: trigger.dataID }),
        ...(value !== undefined && { value: trigger.show(value) }),
        ...(trigger.threshold.length > 0 && { threshold: trigger.threshold }),
      },
      conditions,
      traceID,
      firedAt: askedAt,
      depth: 0,
      userName: '',
    })
  }

  /** Synchronous unless the firing must be claimed. */
  const settle = (question: Question, seen: Seen): Promise<void> | undefined => {
    const { entry, held, at } = question
    if (!isCurrent(question)) {
      release(question)
      return undefined
    }
    const asked: Asked = { value: (source) => seen.get(sourceKey(source)), at }
    const { ok, list, reason } = checkConditions(entry.scene.conditions, asked)
    if (!ok) {
      if (!question.again) {
        miss(question, reason, list)
        // The timer has asked; from now on a report does, or the next minute.
        if (held?.stored && entry.trigger.keepMs > 0 && held.state.since === question.since) {
          store.put(rowOf(question, parked, null))
        }
      }
      release(question)
      return undefined
    }
    if (!needsClaim(entry)) {
      fire(question, list)
      release(question)
      return undefined
    }
    return claim(question).then((mine) => {
      if (mine) fire(question, list)
      else if (held?.state.since === question.since) held.state.fired = true
      release(question)
    })
  }

  const next = () => {
    while (busy < mostAtOnce && waiting.length > 0) {
      const one = waiting.shift()
      if (!one) return
      busy++
      void one.work().finally(() => {
        busy--
        const follower = devices.leave(one.deviceID)
        if (follower) waiting.push(follower)
        next()
      })
    }
  }

  const end = (question: Question, error?: unknown) => {
    open.delete(question)
    if (error === undefined) return
    failed(error, question.entry.scene.sceneID)
    release(question)
  }

  return {
    ask(question: Question): void {
      const { entry, held, starter } = question
      if (held) held.state.deciding = true
      try {
        const { seen, missing } = peekValues(entry.scene.needs, starter, kit)
        const { deviceID } = starter.device
        if (missing.length === 0 && !needsClaim(entry) && !devices.has(deviceID)) {
          void settle(question, seen)
          return
        }
        if (open.size >= mostWaiting) {
          metrics.dropped.inc()
          miss(question, '等待判断的触发过多，本次未处理', [])
          release(question)
          return
        }
        open.add(question)
        const work = async () => {
          try {
            await readValues(missing, seen, starter, kit)
            await settle(question, seen)
            end(question)
          } catch (error) {
            end(question, error)
          }
        }
        const one = { deviceID, work }
        if (devices.enter(deviceID, one)) waiting.push(one)
        next()
      } catch (error) {
        end(question, error)
      }
    },
    get waiting() {
      return open.size
    },
    /** When the oldest question was asked that is not answered yet. */
    get oldest(): number | undefined {
      for (const question of open) return question.askedAt
      return undefined
    },
    failed,
  }
}

export type Decider = ReturnType<typeof makeDecider>
