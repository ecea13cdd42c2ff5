/** One fact of one device against the triggers that it can concern. Synchronous, in the order of arrival. */
import type { Clock } from '#ports/clock.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { CompiledTrigger, Fact, Verdict } from '../engine/engine-types.ts'
import { due, dueAgain, emptyState, judge } from '../engine/judge.ts'
import type { Decider } from './decide.ts'
import type { DueTimer } from './due-timer.ts'
import { type HoldRow, type HoldStore, parked } from './hold-store.ts'
import type { Misses } from './misses.ts'
import { type GroupMembers, keyOf, type SceneIndex, type Slot } from './scene-index.ts'
import type { Entry } from './trigger-bucket.ts'
import type { Held, TriggerStates } from './trigger-states.ts'
import type { WatchMetrics } from './watch-metrics.ts'

export interface JudgeKit {
  clock: Clock
  index: SceneIndex
  members: GroupMembers
  states: TriggerStates
  store: HoldStore
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

/** Coming and going without a memory says the same, at worst twice. */
const needsState = ({ remembers, trigger }: Entry): boolean =>
  remembers && (trigger.keepMs > 0 || trigger.times > 1 || trigger.once || trigger.minIntervalMs > 0)

const isPresence = ({ operator }: CompiledTrigger) => operator === 'connected' || operator === 'disConnected'

/** Nothing was said: time alone asks. */
const emptyFact = ({ device, traceID }: Held, at: number): Fact => ({ kind: 'values', values: {}, device, at, traceID })

export function makeDeviceJudge(kit: JudgeKit) {
  const { clock, index, members, states, store, misses, metrics, decider, timer } = kit
  const scratch = emptyState()
  let current: Fact | undefined
  let replaying = false

  const causeOf = ({ trigger }: Entry, fact: Fact, since: number): string => {
    const { deviceID } = fact.device
    if (trigger.keepMs > 0) return `hold:${trigger.no}:${deviceID}:${since}`
    if (fact.kind === 'silence') return `silence:${trigger.no}:${deviceID}:${fact.since}`
    if (fact.kind === 'presence') return `${fact.online ? 'online' : 'offline'}:${deviceID}:${fact.at}`
    return `${fact.traceID}:${deviceID}`
  }

  const ask = (
    entry: Entry,
    held: Held | undefined,
    fact: Fact,
    verdict: Verdict & { kind: 'fire' },
    again = false,
  ) => {
    const since = held?.state.since ?? verdict.at
    decider.ask({
      entry,
      held,
      starter: { device: fact.device, values: fact.kind === 'values' ? fact.values : undefined },
      value: verdict.value,
      at: verdict.at,
      since,
      traceID: held && entry.trigger.keepMs > 0 ? held.traceID : fact.traceID,
      cause: causeOf(entry, fact, since),
      again,
      askedAt: clock.now(),
    })
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

  /** The state is over: so is its row. */
  const endRow = ({ scene, trigger }: Entry, held: Held) => {
    held.dueAt = 0
    if (!held.stored) return
    held.stored = false
    store.remove({ sceneID: scene.sceneID, no: trigger.no, device: held.device })
  }

  /** The group, before the state had lasted: then it is over. */
  const hasLeft = (entry: Entry, held: Held): boolean => {
    if (selects(entry.trigger, held.device, members)) return false
    endRow(entry, held)
    states.drop(held)
    return true
  }

  const near = ({ scene, trigger }: Entry, { device, traceID }: Fact, reason: string) => {
    metrics.missed.inc()
    if (!misses.wants(scene.sceneID)) return
    misses.add({ sceneID: scene.sceneID, reason, triggerText: trigger.text, conditions: [], device, traceID })
  }

  const follow = (entry: Entry, held: Held | undefined, fact: Fact, verdict: Verdict, again = false) => {
    if (verdict.kind === 'fire') ask(entry, held, fact, verdict, again)
    else if (verdict.kind === 'no' && verdict.reason !== undefined) near(entry, fact, verdict.reason)
    else if (verdict.kind === 'hold' && held && held.dueAt !== verdict.dueAt) {
      held.dueAt = verdict.dueAt
      held.stored = true
      store.put(rowOf(entry, held, verdict.since, verdict.dueAt))
      timer.add(verdict.dueAt, held)
    }
  }

  const judgeHeld = (entry: Entry, held: Held, fact: Fact) => {
    const { trigger } = entry
    const { state } = held
    const before = state.since
    if (trigger.keepMs > 0 && before !== undefined) {
      // A timer that is late does not lose to the report that ends the state.
      const verdict = due(trigger, state, fact.at)
      if (verdict.kind === 'fire') ask(entry, held, fact, verdict)
    }
    const verdict = judge(trigger, state, fact)
    if (state.since !== before) {
      if (before !== undefined) endRow(entry, held)
      held.traceID = fact.traceID
    }
    const again = state.asked && fact.kind === 'silence'
    if (fact.kind === 'silence') state.asked = true
    follow(entry, held, fact, verdict, again)
    if (verdict.kind !== 'fire' && verdict.kind !== 'hold') states.settle(held, entry, clock.now())
  }

  const judgeOne = (entry: Entry, fact: Fact) => {
    metrics.evaluated.inc()
    try {
      const held = entry.remembers ? states.take(entry, fact.device) : undefined
      if (held) judgeHeld(entry, held, fact)
      else if (needsState(entry)) metrics.dropped.inc()
      else {
        scratch.since = undefined
        scratch.fired = false
        follow(entry, undefined, fact, judge(entry.trigger, scratch, fact))
      }
    } catch (error) {
      decider.failed(error, entry.scene.sceneID)
    }
  }

  const visit = (entry: Entry) => {
    // Counts are not kept over a restart: with half of them again the wrong message would fire, perhaps once more.
    if (replaying && entry.trigger.times > 1) return
    if (current && matches(entry.trigger, current)) judgeOne(entry, current)
  }

  /** States that last must hear that they are over, also when no index leads to them. */
  const tellStates = (fact: Fact) => {
    const own = states.of(fact.device.deviceID)
    if (!own) return
    for (const held of own.values()) {
      if (held.state.since === undefined) continue
      const entry = index.entry(held.key)
      if (entry && isPresence(entry.trigger) && fact.kind !== 'presence' && entry.trigger.keepMs === 0) continue
      if (entry && !matches(entry.trigger, fact)) judgeOne(entry, fact)
    }
  }

  const visitSlot = (slot: Slot | undefined, fact: Fact, value: unknown) => {
    if (slot) slot.visit(fact.device, value, members, visit)
  }

  return {
    /** @param again it may have been looked at before */
    judge(fact: Fact, again = false): void {
      const product = index.product(fact.device.productID)
      current = fact
      replaying = again
      tellStates(fact)
      if (product) {
        if (fact.kind === 'presence') visitSlot(product.presence, fact, undefined)
        else if (fact.kind === 'event') visitSlot(product.events.get(fact.eventID), fact, undefined)
        else if (fact.kind === 'values')
          for (const id in fact.values) visitSlot(product.properties.get(id), fact, fact.values[id])
      }
      current = undefined
    },
    /** What was found for this trigger: a silence, a device that left while nobody watched. */
    judgeFor: judgeOne,
    /** The timer: has the state lasted? */
    due(held: Held): void {
      if (states.of(held.device.deviceID)?.get(held.key) !== held) return
      const entry = index.entry(held.key)
      if (!entry || entry.scene.rev !== held.rev) states.drop(held)
      if (!entry || entry.scene.rev !== held.rev || hasLeft(entry, held)) return
      try {
        const verdict = due(entry.trigger, held.state, clock.now())
        if (verdict.kind === 'fire') ask(entry, held, emptyFact(held, clock.now()), verdict)
        else if (verdict.kind === 'hold') timer.add(verdict.dueAt, held)
      } catch (error) {
        decider.failed(error, entry.scene.sceneID)
      }
    },
    /** It fired then. */
    recall(entry: Entry, device: DeviceRef, at: number): void {
      const held = at + entry.trigger.minIntervalMs > clock.now() ? states.take(entry, device) : undefined
      if (held) held.state.lastFired = Math.max(held.state.lastFired, at)
    },
    /** A state as the database knows it. @returns undefined: nobody wants it any more */
    restore({ sceneID, no, rev, device, since, dueAt, firedAt, seen }: HoldRow): Held | undefined {
      const entry = index.entry(keyOf(sceneID, no))
      if (!entry || entry.scene.rev !== rev || entry.trigger.operator === 'noReport') return undefined
      const held = states.take(entry, device)
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
        if (dueAt !== parked) timer.add(dueAt, held)
      }
      return held
    },
    /** Its server is gone: asked here instead. */
    takeOver(row: HoldRow): void {
      const held = this.restore(row)
      const entry = held && index.entry(held.key)
      if (!held || !entry || held.state.deciding || hasLeft(entry, held)) return
      held.state.asked = true
      ask(entry, held, emptyFact(held, row.dueAt), { kind: 'fire', value: held.state.seen, at: row.dueAt })
    },
    /** Its conditions did not hold when it had lasted: perhaps they do now. */
    askAgain(row: HoldRow): void {
      const held = this.restore(row)
      const entry = held && index.entry(held.key)
      if (!held || !entry || hasLeft(entry, held)) return
      const now = clock.now()
      const verdict = dueAgain(entry.trigger, held.state, now)
      if (verdict.kind === 'fire') ask(entry, held, emptyFact(held, now), verdict, true)
    },
  }
}
