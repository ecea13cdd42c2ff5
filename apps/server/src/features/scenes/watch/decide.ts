/**
 * A trigger says yes: do the conditions hold? At once when memory knows all values, else in a bounded queue. Then the
 * firing is claimed where it must be, confirmed, and handed over; those of one device in the order of asking.
 */
import { kept } from '@ithings/contract/text.ts'
import type { Common } from '#common-deps.ts'
import { type Asked, checkConditions, withSeen } from '../engine/check-conditions.ts'
import type { SceneRunner } from '../engine/engine-types.ts'
import { confirm } from '../engine/judge.ts'
import { makeKeyedOrder } from '../keyed-order.ts'
import { peekValues, readValues, type Seen, type Starter, sourceKey, type ValueDeps } from './condition-values.ts'
import { type HoldStore, parked } from './hold-store.ts'
import type { MemoryStore } from './memory-store.ts'
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
  /** When the trigger became true. */
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

export interface DecideDeps extends ValueDeps, Common<'clock' | 'log'> {
  runner: SceneRunner
  misses: Misses
  store: HoldStore
  memory: MemoryStore
  states: TriggerStates
  index: SceneIndex
  metrics: WatchMetrics
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

/** A state that lasts, or a silence: one of all servers fires for it. */
const needsClaim = ({ trigger }: Entry) => trigger.operator === 'noReport' || trigger.keepMs > 0
/** What it was asked about has ended or begun anew since: by the message that found the timer late. */
const isPast = ({ held, since }: Question): boolean => held?.state.since !== since

export class Decider {
  readonly #deps: DecideDeps
  /** In the order of asking; those that run are in it too. */
  readonly #open = new Set<Question>()
  readonly #waiting: Waiting[] = []
  readonly #devices = makeKeyedOrder<Waiting>()
  #busy = 0
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(deps: DecideDeps) {
    this.#deps = deps
  }

  failed(error: unknown, sceneID: number) {
    this.#deps.metrics.failed.inc()
    if (this.#deps.clock.now() - this.#failedAt < 1_000) return
    this.#failedAt = this.#deps.clock.now()
    this.#deps.log.error({ err: error, sceneID }, 'a scene could not be judged')
  }

  #release({ held, entry }: Question) {
    if (!held) return
    held.state.deciding = false
    this.#deps.states.settle(held, entry, this.#deps.clock.now())
  }

  #miss(question: Question, reason: string, conditions: ReturnType<typeof checkConditions>['list']) {
    const { entry, starter, traceID, value } = question
    this.#deps.metrics.missed.inc()
    const { sceneID } = entry.scene
    const triggerText = withSeen(entry.trigger.text, value === undefined ? '' : entry.trigger.show(value))
    this.#deps.misses.add({ sceneID, reason, triggerText, conditions, device: starter.device, traceID })
  }

  async #claim(question: Question): Promise<boolean> {
    const { operator } = question.entry.trigger
    // The row went with the state, so nothing can be claimed; the unique cause in scene_run makes it fire once.
    if (operator !== 'noReport' && isPast(question)) return true
    const row = rowOf(question, parked, null)
    if (operator === 'noReport') return this.#deps.store.claimSilence(row, this.#deps.clock.now())
    const isPresence = operator === 'connected' || operator === 'disConnected'
    return this.#deps.store.claim(row, this.#deps.clock.now(), isPresence ? operator === 'connected' : undefined)
  }

  #fire(question: Question, conditions: ReturnType<typeof checkConditions>['list']) {
    const { entry, held, starter, value, at, traceID, cause, askedAt } = question
    const { scene, trigger } = entry
    if (held) {
      confirm(held.state, at)
      this.#deps.memory.fired(entry, held)
      const isOver = isPast(question)
      // What is true now, if anything, has not fired.
      if (isOver) held.state.fired = false
      // Remembered over a restart for as long as the state lasts.
      if (trigger.once && trigger.keepMs === 0 && !isOver && trigger.operator !== 'noReport') {
        this.#deps.store.put(rowOf(question, parked, at))
        held.stored = true
      }
    }
    this.#deps.metrics.fired.inc()
    this.#deps.runner.fire({
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
  #settle(question: Question, seen: Seen): Promise<void> | undefined {
    const { entry, held, at } = question
    // The scene was edited or switched off meanwhile.
    if (this.#deps.index.entry(entry.key)?.scene.rev !== entry.scene.rev) {
      this.#release(question)
      return undefined
    }
    const asked: Asked = { value: (source) => seen.get(sourceKey(source)), at }
    const { ok, list, reason } = checkConditions(entry.scene.conditions, asked)
    if (!ok) {
      if (!question.again) {
        this.#miss(question, reason, list)
        // The timer has asked; from now on a report does, or the next minute.
        if (held?.stored && entry.trigger.keepMs > 0 && held.state.since === question.since) {
          this.#deps.store.put(rowOf(question, parked, null))
        }
      }
      this.#release(question)
      return undefined
    }
    if (!needsClaim(entry)) {
      this.#fire(question, list)
      this.#release(question)
      return undefined
    }
    return this.#claim(question).then((mine) => {
      if (mine) this.#fire(question, list)
      else if (held?.state.since === question.since) held.state.fired = true
      this.#release(question)
    })
  }

  #next() {
    while (this.#busy < mostAtOnce && this.#waiting.length > 0) {
      const one = this.#waiting.shift()
      if (!one) return
      this.#busy++
      void one.work().finally(() => {
        this.#busy--
        const follower = this.#devices.leave(one.deviceID)
        if (follower) this.#waiting.push(follower)
        this.#next()
      })
    }
  }

  #end(question: Question, error?: unknown) {
    this.#open.delete(question)
    if (error === undefined) return
    this.failed(error, question.entry.scene.sceneID)
    this.#release(question)
  }

  ask(question: Question): void {
    const { entry, held, starter } = question
    if (held) held.state.deciding = true
    try {
      const { seen, missing } = peekValues(entry.scene.needs, starter, this.#deps)
      const { deviceID } = starter.device
      if (missing.length === 0 && !needsClaim(entry) && !this.#devices.has(deviceID)) {
        void this.#settle(question, seen)
        return
      }
      if (this.#open.size >= mostWaiting) {
        this.#deps.metrics.dropped.inc()
        this.#miss(question, kept('等待判断的触发过多，本次未处理'), [])
        this.#release(question)
        return
      }
      this.#open.add(question)
      const work = async () => {
        try {
          await readValues(missing, seen, starter, this.#deps)
          await this.#settle(question, seen)
          this.#end(question)
        } catch (error) {
          this.#end(question, error)
        }
      }
      const one = { deviceID, work }
      if (this.#devices.enter(deviceID, one)) this.#waiting.push(one)
      this.#next()
    } catch (error) {
      this.#end(question, error)
    }
  }

  get waiting() {
    return this.#open.size
  }

  /** When the oldest question was asked that is not answered yet. */
  get oldest(): number | undefined {
    for (const question of this.#open) return question.askedAt
    return undefined
  }
}
