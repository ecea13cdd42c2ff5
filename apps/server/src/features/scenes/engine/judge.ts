/**
 * The state machine of one trigger and one device. No I/O and no clock: what is asked at which moment is all that
 * counts, so live messages, the dry run and the backtest get the same answer.
 *
 * Callers ask `due` up to the moment of a fact before they `judge` it, so that a timer that is late does not lose to the
 * report that ends the state; and they `confirm` once the conditions held.
 */
import { minuteMs } from '@ithings/contract/durations.ts'
import { kept } from '@ithings/contract/text.ts'
import type { CompiledTrigger, Fact, TriggerState, Verdict } from './engine-types.ts'

export const emptyState = (): TriggerState => ({
  since: undefined,
  fired: false,
  asked: false,
  seen: undefined,
  lastFired: Number.NEGATIVE_INFINITY,
  hits: [],
  deciding: false,
})

const none: Verdict = { kind: 'none' }
const no: Verdict = { kind: 'no' }

interface Seen {
  matched: boolean
  value: unknown
}

const memberOf = (value: unknown, member: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, member)
    ? (value as Record<string, unknown>)[member]
    : undefined

/** A report of a struct may leave the member out: then it says nothing about it. */
function lookAt(trigger: CompiledTrigger, record: Record<string, unknown>, key: string): Seen | undefined {
  if (!Object.hasOwn(record, key)) return undefined
  const value = record[key]
  return { value, matched: trigger.test?.(value) ?? true }
}

/** What the fact says about the trigger's state; undefined: nothing. */
function look(trigger: CompiledTrigger, fact: Fact): Seen | undefined {
  switch (trigger.operator) {
    case 'reportProperty': {
      if (fact.kind !== 'values' || !Object.hasOwn(fact.values, trigger.dataID)) return undefined
      if (trigger.member === '') return lookAt(trigger, fact.values, trigger.dataID)
      const struct = fact.values[trigger.dataID]
      if (typeof struct !== 'object' || struct === null) return undefined
      return lookAt(trigger, struct as Record<string, unknown>, trigger.member)
    }
    case 'reportEvent': {
      if (fact.kind !== 'event' || fact.eventID !== trigger.dataID) return undefined
      if (trigger.member === '') return { value: fact.params, matched: true }
      return lookAt(trigger, fact.params, trigger.member)
    }
    case 'connected':
    case 'disConnected':
      if (fact.kind !== 'presence') return undefined
      return { value: undefined, matched: fact.online === (trigger.operator === 'connected') }
    case 'noReport':
      return lookForSilence(trigger, fact)
  }
}

function lookForSilence({ dataID, silenceMs }: CompiledTrigger, fact: Fact): Seen | undefined {
  if (fact.kind === 'silence')
    return fact.dataID === dataID && fact.at - fact.since >= silenceMs ? { value: undefined, matched: true } : undefined
  const heard = dataID === '' ? fact.kind !== 'presence' : fact.kind === 'values' && Object.hasOwn(fact.values, dataID)
  return heard ? { value: undefined, matched: false } : undefined
}

const isStanding = ({ operator }: CompiledTrigger) => operator !== 'reportProperty' && operator !== 'reportEvent'

/** A state during which the device says nothing that would ask again: away or there for so long, silent. */
export const asksAgain = (trigger: CompiledTrigger): boolean =>
  trigger.operator === 'noReport' || (isStanding(trigger) && trigger.keepMs > 0)

/** When such a state is asked about again because its conditions did not hold: with each minute. */
export const nextMinute = (at: number): number => (Math.floor(at / minuteMs) + 1) * minuteMs

/** What is being decided changes the answer; a trigger without memory need not wait for it. */
const remembers = (trigger: CompiledTrigger) =>
  trigger.keepMs > 0 || trigger.times > 1 || trigger.once || trigger.minIntervalMs > 0 || isStanding(trigger)

function begin(state: TriggerState, at: number): void {
  state.since = at
  state.fired = false
  state.asked = false
}

function end(state: TriggerState): void {
  state.since = undefined
  state.fired = false
  state.asked = false
  state.seen = undefined
}

/** When a state that must last is due: after its time, and not before the distance to the last firing is over. */
const dueTime = (trigger: CompiledTrigger, state: TriggerState, since: number) =>
  Math.max(since + trigger.keepMs, state.lastFired + trigger.minIntervalMs)

const tooSoon = ({ minIntervalMs }: CompiledTrigger): Verdict => ({
  kind: 'no',
  reason: kept('距上次触发不足 {count} 秒', { count: minIntervalMs / 1000 }),
})

/** What was true and is over: did it end before its time? */
function endedEarly(trigger: CompiledTrigger, { since, fired, asked, deciding }: TriggerState, at: number) {
  if (trigger.keepMs === 0 || since === undefined || fired || asked || deciding) return undefined
  const lasted = Math.max(0, at - since)
  if (lasted >= trigger.keepMs) return tooSoon(trigger)
  const reason = kept('只持续 {lasted} 秒，需 {count} 秒', {
    lasted: Math.floor(lasted / 1000),
    count: trigger.keepMs / 1000,
  })
  return { kind: 'no', reason } as const
}

/** True again or still: does it fire? */
function judgeTruth(trigger: CompiledTrigger, state: TriggerState, at: number, since: number): Verdict {
  if (state.deciding && remembers(trigger)) return no
  const { keepMs, times, windowMs, minIntervalMs, once } = trigger
  if (state.fired && (once || keepMs > 0)) return once ? { kind: 'no', reason: kept('本次状态已触发过') } : no
  if (keepMs > 0) {
    const dueAt = dueTime(trigger, state, since)
    return at >= dueAt ? { kind: 'fire', value: state.seen, at } : { kind: 'hold', since, dueAt }
  }
  if (times > 1) {
    while ((state.hits[0] ?? at) < at - windowMs) state.hits.shift()
    state.hits.push(at)
    if (state.hits.length > times) state.hits.shift()
    const count = state.hits.length
    if (count < times) {
      const values = { seconds: windowMs / 1000, times: count, count: times }
      return { kind: 'no', reason: kept('{seconds} 秒内第 {times} 次，共需 {count} 次', values) }
    }
  }
  if (at < state.lastFired + minIntervalMs) return tooSoon(trigger)
  return { kind: 'fire', value: state.seen, at }
}

/** Changes `state`; what it says is asked of the conditions, and `confirm`ed when they hold. */
export function judge(trigger: CompiledTrigger, state: TriggerState, fact: Fact): Verdict {
  const seen = look(trigger, fact)
  if (!seen) return none
  if (!seen.matched) {
    const early = endedEarly(trigger, state, fact.at)
    end(state)
    return early ?? (isStanding(trigger) ? none : no)
  }
  const wasTrue = state.since !== undefined
  state.seen = seen.value
  if (isStanding(trigger)) {
    // Coming, going and falling silent happen once, however often somebody says so.
    if (wasTrue && trigger.operator !== 'noReport' && trigger.keepMs === 0) return none
    if (state.fired) return none
  }
  // Without a test nothing can become false: what was fired for is over, and this is another.
  const anew = !trigger.test && !isStanding(trigger) && state.fired
  if (!wasTrue || anew) begin(state, fact.kind === 'silence' ? fact.since : fact.at)
  return judgeTruth(trigger, state, fact.at, state.since ?? fact.at)
}

/**
 * A timer: has the state lasted? Says so once for each truth; when the conditions did not hold then, the next matching
 * report asks again, or the next minute (`dueAgain`).
 */
export function due(trigger: CompiledTrigger, state: TriggerState, at: number): Verdict {
  const { since } = state
  if (since === undefined || trigger.keepMs === 0 || state.fired || state.asked || state.deciding) return none
  const dueAt = dueTime(trigger, state, since)
  if (at < dueAt) return { kind: 'hold', since, dueAt }
  state.asked = true
  return { kind: 'fire', value: state.seen, at: dueAt }
}

/** The state has lasted and was asked about; its conditions did not hold. */
export function dueAgain(trigger: CompiledTrigger, state: TriggerState, at: number): Verdict {
  if (state.since === undefined || !state.asked || state.fired || state.deciding || !asksAgain(trigger)) return none
  return { kind: 'fire', value: state.seen, at }
}

/** The conditions held: only such firings count for once, minInterval, duration and repeating. */
export function confirm(state: TriggerState, at: number): void {
  state.fired = true
  state.lastFired = at
  state.hits = []
  state.deciding = false
}

export const memberValue = (value: unknown, member: string): unknown =>
  member === '' ? value : memberOf(value, member)
