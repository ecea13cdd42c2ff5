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

export interface SceneReplay {
  /** What a series was before the range. */
  preload(series: number, time: number, value: unknown): void
  /** Everything that is due until then, it included. */
  advance(until: number): void
  /** The device said all this in one message. */
  values(device: number, at: number, values: Record<string, unknown>): void
  set(series: number, value: unknown): void
  /** Presence and events. */
  tell(device: number, fact: Fact): void
  /** Schedules that were cut off. */
  readonly cutOff: boolean
  /** States that were not asked about again any more. */
  readonly tired: boolean
}

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

export function makeSceneReplay(
  plan: BacktestPlan,
  crons: Array<string | undefined>,
  notes: SceneNotes[],
  range: { from: number; to: number },
): SceneReplay {
  const latest: unknown[] = new Array(plan.series.length).fill(undefined)
  const see = makeSee(plan, latest)
  const heap = makeMomentHeap<Due>()
  let cutOff = false
  let askedAgain = 0
  /** Of the message that is judged, and of the last one that each scene was noted for. */
  let message = 0
  const noted = new Int32Array(plan.scenes.length)

  const watchers = plan.devices.map((device) =>
    device.triggers.flatMap((triggers, scene) =>
      triggers.map(
        (trigger): Watcher => ({ scene, device, trigger, state: emptyState(), queuedAt: 0, heard: undefined }),
      ),
    ),
  )

  /** Whether the scene was noted for this message already. */
  const isNoted = (scene: number, { trigger }: Watcher): boolean => {
    if (!isCausedByMessage(trigger)) return false
    const before = noted[scene]
    noted[scene] = message
    return before === message
  }

  /** @param again it was asked before, and noted. @returns whether the conditions hold */
  const ask = (
    scene: number,
    at: number,
    device: PlannedDevice | undefined,
    watcher?: Watcher,
    value?: unknown,
    again = false,
  ): boolean => {
    const { conditions } = plan.scenes[scene] as CompiledScene
    const seen = see(device)
    const silent = watcher !== undefined && isNoted(scene, watcher)
    if (conditions.length > 0 && !conditionsHold(conditions, { value: seen, at })) {
      if (!silent && !again) notes[scene]?.missed(at, device, seen)
      return false
    }
    if (watcher && withMemory(watcher.trigger)) confirm(watcher.state, at)
    if (!silent) notes[scene]?.fired(at, device, watcher?.trigger, value, seen)
    return true
  }

  /** An earlier moment than the one that is in the heap goes before it. */
  const queue = (watcher: Watcher, at: number) => {
    if (watcher.queuedAt !== 0 && watcher.queuedAt <= at) return
    watcher.queuedAt = at
    heap.add(at, { watcher })
  }

  const follow = (watcher: Watcher, verdict: Verdict, again = false) => {
    if (verdict.kind === 'hold') queue(watcher, verdict.dueAt)
    if (verdict.kind !== 'fire') return
    const { scene, device, trigger } = watcher
    if (ask(scene, verdict.at, device, watcher, verdict.value, again) || !asksAgain(trigger)) return
    if (askedAgain++ < mostAskedAgain) queue(watcher, nextMinute(verdict.at))
  }

  const judgeOne = (watcher: Watcher, fact: Fact) => {
    const { trigger, state } = watcher
    const verdict = judge(trigger, state, fact)
    if (!withMemory(trigger)) state.since = undefined
    if (trigger.operator === 'noReport') {
      if (fact.kind !== 'values' || !(trigger.dataID === '' || Object.hasOwn(fact.values, trigger.dataID))) return
      watcher.heard = fact.at
      queue(watcher, fact.at + trigger.silenceMs)
      return
    }
    follow(watcher, verdict)
  }

  /** Looked at once in its time; heard meanwhile: looked at again later. */
  const lookForSilence = (watcher: Watcher, at: number) => {
    const { heard, trigger } = watcher
    if (heard === undefined) return
    if (heard + trigger.silenceMs > at) return queue(watcher, heard + trigger.silenceMs)
    const device = watcher.device.ref
    const fact: Fact = { kind: 'silence', device, at, since: heard, dataID: trigger.dataID, traceID: '' }
    const verdict = judge(trigger, watcher.state, fact)
    const again = watcher.state.asked
    watcher.state.asked = true
    // Before the range it was silent already.
    if (at < range.from) confirm(watcher.state, at)
    else follow(watcher, verdict, again)
  }

  const schedule = (one: Schedule, after: number) => {
    if (one.runs >= mostTimerRuns) {
      cutOff = true
      return
    }
    const next = one.next(after)
    if (next !== undefined && next < range.to) heap.add(next, { schedule: one })
  }

  for (const [scene, expression] of crons.entries()) {
    if (expression === undefined) continue
    const cron = makeCron(expression)
    const next = (after: number) => cron.nextRun(new Date(after))?.getTime()
    schedule({ scene, next, runs: 0 }, range.from - 1)
  }

  const happen = (at: number, what: Due) => {
    if ('schedule' in what) {
      what.schedule.runs++
      ask(what.schedule.scene, at, undefined)
      schedule(what.schedule, at)
      return
    }
    const { watcher } = what
    const { trigger, state } = watcher
    // It was queued for an earlier moment since.
    if (watcher.queuedAt !== at) return
    watcher.queuedAt = 0
    if (trigger.operator === 'noReport') return lookForSilence(watcher, at)
    const again = dueAgain(trigger, state, at)
    follow(watcher, again.kind === 'fire' ? again : due(trigger, state, at), again.kind === 'fire')
  }

  const fact: Fact & { kind: 'values' } = {
    kind: 'values',
    device: { productID: '', deviceName: '', deviceID: 0 },
    at: 0,
    traceID: '',
    values: {},
  }

  return {
    preload(series, time, value) {
      latest[series] = value
      const property = plan.series[series]?.property ?? ''
      for (const watcher of watchers[plan.owners[series] as number] ?? []) {
        const { operator, dataID, silenceMs } = watcher.trigger
        if (operator !== 'noReport' || (dataID !== '' && dataID !== property)) continue
        watcher.heard = Math.max(watcher.heard ?? 0, time)
        queue(watcher, watcher.heard + silenceMs)
      }
    },
    advance(until) {
      for (let next = heap.take(until); next; next = heap.take(until)) happen(next.at, next.what)
    },
    set(series, value) {
      latest[series] = value
    },
    values(device, at, values) {
      const own = watchers[device]
      if (!own || own.length === 0) return
      fact.device = (plan.devices[device] as PlannedDevice).ref
      fact.at = at
      fact.values = values
      message++
      for (const watcher of own) judgeOne(watcher, fact)
    },
    tell(device, told) {
      message++
      for (const watcher of watchers[device] ?? []) judgeOne(watcher, told)
    },
    get cutOff() {
      return cutOff
    },
    get tired() {
      return askedAgain > mostAskedAgain
    },
  }
}
