/**
 * Virtual time: facts are judged in their order by the engine that judges live messages; what becomes due in between
 * happens at its moment. Nothing is done, only noted.
 */
import { makeCron } from '@ithings/contract/cron.ts'
import { conditionsHold } from '../engine/check-conditions.ts'
import type {
  CompiledScene,
  CompiledTrigger,
  ConditionSource,
  Fact,
  TriggerState,
  Verdict,
} from '../engine/engine-types.ts'
import { asksAgain, confirm, due, dueAgain, emptyState, judge, nextMinute } from '../engine/judge.ts'
import type { BacktestPlan, PlannedDevice } from './backtest-plan.ts'
import { makeMomentHeap } from './moment-heap.ts'

/** A schedule by the second over a quarter would be millions of runs. */
export const mostTimerRuns = 200_000

/** States whose conditions do not hold are asked about each minute: for weeks, of every device, that is as many. */
export const mostAskedAgain = 500_000

/** What one scene is told of its replay. */
export interface SceneNotes {
  fired(
    at: number,
    device: PlannedDevice | undefined,
    trigger: CompiledTrigger | undefined,
    value: unknown,
    see: See,
  ): void
  missed(at: number, device: PlannedDevice | undefined, see: See): void
}
export type See = (source: ConditionSource) => unknown

interface Watcher {
  scene: number
  device: PlannedDevice
  trigger: CompiledTrigger
  state: TriggerState
  /** Its moment in the heap; 0: none. */
  queuedAt: number
  /** noReport: when it was heard last. */
  heard: number | undefined
}

interface Schedule {
  scene: number
  next(after: number): number | undefined
  runs: number
}

type Due = { watcher: Watcher } | { schedule: Schedule }

const withMemory = ({ keepMs, times, once, minIntervalMs, operator }: CompiledTrigger) =>
  keepMs > 0 || times > 1 || once || minIntervalMs > 0 || (operator !== 'reportProperty' && operator !== 'reportEvent')

/** The message is the cause: several triggers that it fulfils are one run, as live (watch/judge-device.ts). */
const isCausedByMessage = ({ keepMs, operator }: CompiledTrigger) => keepMs === 0 && operator !== 'noReport'

/** Named devices once for all, the device that started the scene each time. */
function makeSee(plan: BacktestPlan, latest: unknown[]) {
  const devices = new Map(plan.devices.map((one) => [`${one.ref.productID}/${one.ref.deviceName}`, one]))
  const named = new Map<ConditionSource, number | undefined>()
  return (device: PlannedDevice | undefined): See =>
    (source) => {
      const { productID, deviceName, property } = source
      if (deviceName === '') {
        const index = device?.ref.productID === productID ? device.series.get(property) : undefined
        return index === undefined ? undefined : latest[index]
      }
      if (!named.has(source)) named.set(source, devices.get(`${productID}/${deviceName}`)?.series.get(property))
      const index = named.get(source)
      return index === undefined ? undefined : latest[index]
    }
}

/** What is asked about one device and one trigger, from the first moment of the range to its end. */
const watchersOf = (device: PlannedDevice): Watcher[] =>
  device.triggers.flatMap((triggers, scene) =>
    triggers.map(
      (trigger): Watcher => ({ scene, device, trigger, state: emptyState(), queuedAt: 0, heard: undefined }),
    ),
  )

export class SceneReplay {
  readonly #plan: BacktestPlan
  readonly #notes: SceneNotes[]
  readonly #range: { from: number; to: number }
  readonly #latest: unknown[]
  readonly #see: (device: PlannedDevice | undefined) => See
  readonly #heap = makeMomentHeap<Due>()
  readonly #watchers: Watcher[][]
  /** One for all messages: there are millions. */
  readonly #fact: Fact & { kind: 'values' } = {
    kind: 'values',
    device: { productID: '', deviceName: '', deviceID: 0 },
    at: 0,
    traceID: '',
    values: {},
  }
  #cutOff = false
  #askedAgain = 0
  /** Of the message that is judged, and of the last one that each scene was noted for. */
  #message = 0
  readonly #noted: Int32Array

  constructor(
    plan: BacktestPlan,
    crons: Array<string | undefined>,
    notes: SceneNotes[],
    range: { from: number; to: number },
  ) {
    this.#plan = plan
    this.#notes = notes
    this.#range = range
    this.#latest = new Array(plan.series.length).fill(undefined)
    this.#see = makeSee(plan, this.#latest)
    this.#watchers = plan.devices.map(watchersOf)
    this.#noted = new Int32Array(plan.scenes.length)
    for (const [scene, expression] of crons.entries()) {
      if (expression === undefined) continue
      const cron = makeCron(expression)
      const next = (after: number) => cron.nextRun(new Date(after))?.getTime()
      this.#schedule({ scene, next, runs: 0 }, range.from - 1)
    }
  }

  /** Whether the scene was noted for this message already. */
  #isNoted(scene: number, { trigger }: Watcher): boolean {
    if (!isCausedByMessage(trigger)) return false
    const before = this.#noted[scene]
    this.#noted[scene] = this.#message
    return before === this.#message
  }

  /** @param again it was asked before, and noted. @returns whether the conditions hold */
  #ask(
    scene: number,
    at: number,
    device: PlannedDevice | undefined,
    watcher?: Watcher,
    value?: unknown,
    again = false,
  ): boolean {
    const { conditions } = this.#plan.scenes[scene] as CompiledScene
    const seen = this.#see(device)
    const silent = watcher !== undefined && this.#isNoted(scene, watcher)
    if (conditions.length > 0 && !conditionsHold(conditions, { value: seen, at })) {
      if (!silent && !again) this.#notes[scene]?.missed(at, device, seen)
      return false
    }
    if (watcher && withMemory(watcher.trigger)) confirm(watcher.state, at)
    if (!silent) this.#notes[scene]?.fired(at, device, watcher?.trigger, value, seen)
    return true
  }

  /** An earlier moment than the one that is in the heap goes before it. */
  #queue(watcher: Watcher, at: number) {
    if (watcher.queuedAt !== 0 && watcher.queuedAt <= at) return
    watcher.queuedAt = at
    this.#heap.add(at, { watcher })
  }

  #follow(watcher: Watcher, verdict: Verdict, again = false) {
    if (verdict.kind === 'hold') this.#queue(watcher, verdict.dueAt)
    if (verdict.kind !== 'fire') return
    const { scene, device, trigger } = watcher
    if (this.#ask(scene, verdict.at, device, watcher, verdict.value, again) || !asksAgain(trigger)) return
    if (this.#askedAgain++ < mostAskedAgain) this.#queue(watcher, nextMinute(verdict.at))
  }

  #judgeOne(watcher: Watcher, fact: Fact) {
    const { trigger, state } = watcher
    const verdict = judge(trigger, state, fact)
    if (!withMemory(trigger)) state.since = undefined
    if (trigger.operator === 'noReport') {
      if (fact.kind !== 'values' || !(trigger.dataID === '' || Object.hasOwn(fact.values, trigger.dataID))) return
      watcher.heard = fact.at
      this.#queue(watcher, fact.at + trigger.silenceMs)
      return
    }
    this.#follow(watcher, verdict)
  }

  /** Looked at once in its time; heard meanwhile: looked at again later. */
  #lookForSilence(watcher: Watcher, at: number) {
    const { heard, trigger } = watcher
    if (heard === undefined) return
    if (heard + trigger.silenceMs > at) return this.#queue(watcher, heard + trigger.silenceMs)
    const device = watcher.device.ref
    const fact: Fact = { kind: 'silence', device, at, since: heard, dataID: trigger.dataID, traceID: '' }
    const verdict = judge(trigger, watcher.state, fact)
    const again = watcher.state.asked
    watcher.state.asked = true
    // Before the range it was silent already.
    if (at < this.#range.from) confirm(watcher.state, at)
    else this.#follow(watcher, verdict, again)
  }

  #schedule(one: Schedule, after: number) {
    if (one.runs >= mostTimerRuns) {
      this.#cutOff = true
      return
    }
    const next = one.next(after)
    if (next !== undefined && next < this.#range.to) this.#heap.add(next, { schedule: one })
  }

  #happen(at: number, what: Due) {
    if ('schedule' in what) {
      what.schedule.runs++
      this.#ask(what.schedule.scene, at, undefined)
      this.#schedule(what.schedule, at)
      return
    }
    const { watcher } = what
    const { trigger, state } = watcher
    // It was queued for an earlier moment since.
    if (watcher.queuedAt !== at) return
    watcher.queuedAt = 0
    if (trigger.operator === 'noReport') return this.#lookForSilence(watcher, at)
    const again = dueAgain(trigger, state, at)
    this.#follow(watcher, again.kind === 'fire' ? again : due(trigger, state, at), again.kind === 'fire')
  }

  /** What a series was before the range. */
  preload(series: number, time: number, value: unknown): void {
    this.#latest[series] = value
    const property = this.#plan.series[series]?.property ?? ''
    for (const watcher of this.#watchers[this.#plan.owners[series] as number] ?? []) {
      const { operator, dataID, silenceMs } = watcher.trigger
      if (operator !== 'noReport' || (dataID !== '' && dataID !== property)) continue
      watcher.heard = Math.max(watcher.heard ?? 0, time)
      this.#queue(watcher, watcher.heard + silenceMs)
    }
  }

  /** Everything that is due until then, it included. */
  advance(until: number): void {
    for (let next = this.#heap.take(until); next; next = this.#heap.take(until)) this.#happen(next.at, next.what)
  }

  set(series: number, value: unknown): void {
    this.#latest[series] = value
  }

  /** The device said all this in one message. */
  values(device: number, at: number, values: Record<string, unknown>): void {
    const own = this.#watchers[device]
    if (!own || own.length === 0) return
    this.#fact.device = (this.#plan.devices[device] as PlannedDevice).ref
    this.#fact.at = at
    this.#fact.values = values
    this.#message++
    for (const watcher of own) this.#judgeOne(watcher, this.#fact)
  }

  /** Presence and events. */
  tell(device: number, told: Fact): void {
    this.#message++
    for (const watcher of this.#watchers[device] ?? []) this.#judgeOne(watcher, told)
  }

  /** Schedules that were cut off. */
  get cutOff(): boolean {
    return this.#cutOff
  }

  /** States that were not asked about again any more. */
  get tired(): boolean {
    return this.#askedAgain > mostAskedAgain
  }
}
