/** One fact of one device against the triggers that it can concern. Synchronous, in the order of arrival. */
import type { Clock } from '#ports/clock.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { CompiledTrigger, Fact, Verdict } from '../engine/engine-types.ts'
import { due, dueAgain, emptyState, judge } from '../engine/judge.ts'
import type { Decider } from './decide.ts'
import type { DueTimer } from './due-timer.ts'
import { type HoldRow, type HoldStore, parked } from './hold-store.ts'
import { type MemoryRow, type MemoryStore, recallMemory } from './memory-store.ts'
import type { Misses } from './misses.ts'
import { type GroupMembers, keyOf, type SceneIndex, type Slot } from './scene-index.ts'
import type { Entry } from './trigger-bucket.ts'
import type { Held, TriggerStates } from './trigger-states.ts'
import type { WatchMetrics } from './watch-metrics.ts'

export interface JudgeDeps {
  clock: Clock
  index: SceneIndex
  members: GroupMembers
  states: TriggerStates
  store: HoldStore
  memory: MemoryStore
  misses: Misses
  metrics: WatchMetrics
  decider: Decider
  timer: DueTimer<Held>
}

const has = (record: unknown, key: string): record is Record<string, unknown> =>
  typeof record === 'object' && record !== null && Object.hasOwn(record, key)

/** What must be true for the trigger to be asked at all; what it says otherwise matters only to a state that lasts. */
function matches({ operator, dataID, member, test }: CompiledTrigger, fact: Fact): boolean {
  if (fact.kind === 'presence') return fact.online === (operator === 'connected') && operator !== 'noReport'
  if (fact.kind === 'silence') return operator === 'noReport'
  const all = fact.kind === 'values' ? fact.values : fact.params
  if (operator !== (fact.kind === 'values' ? 'reportProperty' : 'reportEvent')) return false
  if (fact.kind === 'event') {
    if (fact.eventID !== dataID) return false
    return member === '' || (has(all, member) && (test === undefined || test(all[member])))
  }
  if (!has(all, dataID)) return false
  const value = all[dataID]
  if (member === '') return test === undefined || test(value)
  return has(value, member) && (test === undefined || test(value[member]))
}

export function selects(
  { selector, names, groupID, productID }: CompiledTrigger,
  device: DeviceRef,
  members: GroupMembers,
) {
  if (productID !== device.productID) return false
  if (selector === 'all') return true
  return selector === 'fixed' ? names.has(device.deviceName) : (members.of(device.deviceID)?.includes(groupID) ?? false)
}

/** A trigger of coming and going is judged even when its memory has no room: at worst it fires twice. */
const needsState = ({ remembers, trigger }: Entry): boolean =>
  remembers && (trigger.keepMs > 0 || trigger.times > 1 || trigger.once || trigger.minIntervalMs > 0)

const isPresence = ({ operator }: CompiledTrigger) => operator === 'connected' || operator === 'disConnected'

/** For a question that the clock asks: no message stands behind it. */
const emptyFact = ({ device, traceID }: Held, at: number): Fact => ({ kind: 'values', values: {}, device, at, traceID })

const causeOf = ({ trigger }: Entry, fact: Fact, since: number): string => {
  const { deviceID } = fact.device
  if (trigger.keepMs > 0) return `hold:${trigger.no}:${deviceID}:${since}`
  if (fact.kind === 'silence') return `silence:${trigger.no}:${deviceID}:${fact.since}`
  if (fact.kind === 'presence') return `${fact.online ? 'online' : 'offline'}:${deviceID}:${fact.at}`
  return `${fact.traceID}:${deviceID}`
}

const rowOf = ({ scene, trigger }: Entry, held: Held, since: number, dueAt: number): HoldRow => ({
  sceneID: scene.sceneID,
  no: trigger.no,
  rev: scene.rev,
  device: held.device,
  since,
  dueAt,
  firedAt: null,
  seen: { value: held.state.seen, traceID: held.traceID },
})

export class DeviceJudge {
  readonly #deps: JudgeDeps
  readonly #scratch = emptyState()
  #current: Fact | undefined
  #replaying = false

  constructor(deps: JudgeDeps) {
    this.#deps = deps
  }

  #ask(entry: Entry, held: Held | undefined, fact: Fact, verdict: Verdict & { kind: 'fire' }, again = false) {
    const since = held?.state.since ?? verdict.at
    this.#deps.decider.ask({
      entry,
      held,
      starter: { device: fact.device, values: fact.kind === 'values' ? fact.values : undefined },
      value: verdict.value,
      at: verdict.at,
      since,
      traceID: held && entry.trigger.keepMs > 0 ? held.traceID : fact.traceID,
      cause: causeOf(entry, fact, since),
      again,
      askedAt: this.#deps.clock.now(),
    })
  }

  /** The state is over, so its stored row goes too. */
  #endRow({ scene, trigger }: Entry, held: Held) {
    held.dueAt = 0
    if (!held.stored) return
    held.stored = false
    this.#deps.store.remove({ sceneID: scene.sceneID, no: trigger.no, device: held.device })
  }

  /** A device that left the group before its state had lasted is no longer concerned: the state is dropped. */
  #hasLeft(entry: Entry, held: Held): boolean {
    if (selects(entry.trigger, held.device, this.#deps.members)) return false
    this.#endRow(entry, held)
    this.#deps.states.drop(held)
    return true
  }

  #near({ scene, trigger }: Entry, { device, traceID }: Fact, reason: string) {
    this.#deps.metrics.missed.inc()
    if (!this.#deps.misses.wants(scene.sceneID)) return
    this.#deps.misses.add({
      sceneID: scene.sceneID,
      reason,
      triggerText: trigger.text,
      conditions: [],
      device,
      traceID,
    })
  }

  #follow(entry: Entry, held: Held | undefined, fact: Fact, verdict: Verdict, again = false) {
    if (verdict.kind === 'fire') this.#ask(entry, held, fact, verdict, again)
    else if (verdict.kind === 'no' && verdict.reason !== undefined) this.#near(entry, fact, verdict.reason)
    else if (verdict.kind === 'hold' && held && held.dueAt !== verdict.dueAt) {
      held.dueAt = verdict.dueAt
      held.stored = true
      this.#deps.store.put(rowOf(entry, held, verdict.since, verdict.dueAt))
      this.#deps.timer.add(verdict.dueAt, held)
    }
  }

  #judgeHeld(entry: Entry, held: Held, fact: Fact) {
    const { trigger } = entry
    const { state } = held
    const before = state.since
    if (trigger.keepMs > 0 && before !== undefined) {
      // A timer that is late does not lose to the report that ends the state.
      const verdict = due(trigger, state, fact.at)
      if (verdict.kind === 'fire') this.#ask(entry, held, fact, verdict)
    }
    const verdict = judge(trigger, state, fact)
    if (state.since !== before) {
      if (before !== undefined) this.#endRow(entry, held)
      held.traceID = fact.traceID
    }
    this.#deps.memory.judged(entry, held)
    const again = state.asked && fact.kind === 'silence'
    if (fact.kind === 'silence') state.asked = true
    this.#follow(entry, held, fact, verdict, again)
    if (verdict.kind !== 'fire' && verdict.kind !== 'hold')
      this.#deps.states.settle(held, entry, this.#deps.clock.now())
  }

  /** One trigger: asked by a fact that matches it, or by what was found (a silence, a device that left unseen). */
  judgeFor(entry: Entry, fact: Fact): void {
    this.#deps.metrics.evaluated.inc()
    try {
      const held = entry.remembers ? this.#deps.states.take(entry, fact.device) : undefined
      if (held) this.#judgeHeld(entry, held, fact)
      else if (needsState(entry)) this.#deps.metrics.dropped.inc()
      else {
        this.#scratch.since = undefined
        this.#scratch.fired = false
        this.#follow(entry, undefined, fact, judge(entry.trigger, this.#scratch, fact))
      }
    } catch (error) {
      this.#deps.decider.failed(error, entry.scene.sceneID)
    }
  }

  /** Handed to the index, which calls it for each trigger that may be concerned. */
  readonly #visit = (entry: Entry) => {
    // Counts are not kept over a restart: with half of them again the wrong message would fire, perhaps once more.
    if (this.#replaying && entry.trigger.times > 1) return
    if (this.#current && matches(entry.trigger, this.#current)) this.judgeFor(entry, this.#current)
  }

  /** States that last must hear that they are over, also when no index leads to them. */
  #tellStates(fact: Fact) {
    const own = this.#deps.states.of(fact.device.deviceID)
    if (!own) return
    for (const held of own.values()) {
      if (held.state.since === undefined) continue
      const entry = this.#deps.index.entry(held.key)
      if (entry && isPresence(entry.trigger) && fact.kind !== 'presence' && entry.trigger.keepMs === 0) continue
      if (entry && !matches(entry.trigger, fact)) this.judgeFor(entry, fact)
    }
  }

  #visitSlot(slot: Slot | undefined, fact: Fact, value: unknown) {
    if (slot) slot.visit(fact.device, value, this.#deps.members, this.#visit)
  }

  /** @param again it may have been looked at before */
  judge(fact: Fact, again = false): void {
    const product = this.#deps.index.product(fact.device.productID)
    this.#current = fact
    this.#replaying = again
    this.#tellStates(fact)
    if (product) {
      if (fact.kind === 'presence') this.#visitSlot(product.presence, fact, undefined)
      else if (fact.kind === 'event') this.#visitSlot(product.events.get(fact.eventID), fact, undefined)
      else if (fact.kind === 'values')
        for (const id in fact.values) this.#visitSlot(product.properties.get(id), fact, fact.values[id])
    }
    this.#current = undefined
  }

  /** The timer: has the state lasted? */
  due(held: Held): void {
    if (this.#deps.states.of(held.device.deviceID)?.get(held.key) !== held) return
    const entry = this.#deps.index.entry(held.key)
    if (!entry || entry.scene.rev !== held.rev) this.#deps.states.drop(held)
    if (!entry || entry.scene.rev !== held.rev || this.#hasLeft(entry, held)) return
    try {
      const verdict = due(entry.trigger, held.state, this.#deps.clock.now())
      if (verdict.kind === 'fire') this.#ask(entry, held, emptyFact(held, this.#deps.clock.now()), verdict)
      else if (verdict.kind === 'hold') this.#deps.timer.add(verdict.dueAt, held)
    } catch (error) {
      this.#deps.decider.failed(error, entry.scene.sceneID)
    }
  }

  /** Notes when the trigger fired last for the device, as the stored runs tell it. */
  recall(entry: Entry, device: DeviceRef, at: number): void {
    const held =
      at + entry.trigger.minIntervalMs > this.#deps.clock.now() ? this.#deps.states.take(entry, device) : undefined
    if (held) held.state.lastFired = Math.max(held.state.lastFired, at)
  }

  /** A state as the database knows it. @returns undefined: nobody wants it any more */
  restore({ sceneID, no, rev, device, since, dueAt, firedAt, seen }: HoldRow): Held | undefined {
    const entry = this.#deps.index.entry(keyOf(sceneID, no))
    if (!entry || entry.scene.rev !== rev || entry.trigger.operator === 'noReport') return undefined
    const held = this.#deps.states.take(entry, device)
    if (!held || held.state.deciding) return held
    const { state } = held
    state.since = since
    state.fired = firedAt !== null
    if (firedAt !== null) state.lastFired = Math.max(state.lastFired, firedAt)
    state.seen = seen.value
    held.traceID = seen.traceID ?? ''
    held.stored = true
    if (firedAt === null && entry.trigger.keepMs > 0) {
      held.dueAt = since + entry.trigger.keepMs
      state.asked = dueAt === parked
      if (dueAt !== parked) this.#deps.timer.add(dueAt, held)
    }
    return held
  }

  /** What another server remembers of the device. */
  recallMemory(row: MemoryRow): void {
    const entry = this.#deps.index.entry(keyOf(row.sceneID, row.no))
    const held = entry?.scene.rev === row.rev ? this.#deps.states.take(entry, row.device) : undefined
    if (held && !held.state.deciding) recallMemory(held, row)
  }

  /** Its server is gone: asked here instead. */
  takeOver(row: HoldRow): void {
    const held = this.restore(row)
    const entry = held && this.#deps.index.entry(held.key)
    if (!held || !entry || held.state.deciding || this.#hasLeft(entry, held)) return
    held.state.asked = true
    this.#ask(entry, held, emptyFact(held, row.dueAt), { kind: 'fire', value: held.state.seen, at: row.dueAt })
  }

  /** Its conditions did not hold when it had lasted: perhaps they do now. */
  askAgain(row: HoldRow): void {
    const held = this.restore(row)
    const entry = held && this.#deps.index.entry(held.key)
    if (!held || !entry || this.#hasLeft(entry, held)) return
    const now = this.#deps.clock.now()
    const verdict = dueAgain(entry.trigger, held.state, now)
    if (verdict.kind === 'fire') this.#ask(entry, held, emptyFact(held, now), verdict, true)
  }
}
