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
import { confirm, due, emptyState, judge } from '../engine/judge.ts'
import type { BacktestPlan, PlannedDevice } from './backtest-plan.ts'
import { makeMomentHeap } from './moment-heap.ts'

/** A schedule by the second over a quarter would be millions of runs. */
export const mostTimerRuns = 200_000

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
  /** Its moment is in the heap. */
  queued: boolean
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
}

const withMemory = ({ keepMs, times, once, minIntervalMs, operator }: CompiledTrigger) =>
  keepMs > 0 || times > 1 || once || minIntervalMs > 0 || (operator !== 'reportProperty' && operator !== 'reportEvent')

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

  const watchers = plan.devices.map((device) =>
    device.triggers.flatMap((triggers, scene) =>
      triggers.map(
        (trigger): Watcher => ({ scene, device, trigger, state: emptyState(), queued: false, heard: undefined }),
      ),
    ),
  )

  const ask = (scene: number, at: number, device: PlannedDevice | undefined, watcher?: Watcher, value?: unknown) => {
    const { conditions } = plan.scenes[scene] as CompiledScene
    const seen = see(device)
    if (conditions.length > 0 && !conditionsHold(conditions, { value: seen, at })) {
      notes[scene]?.missed(at, device, seen)
      return
    }
    if (watcher && withMemory(watcher.trigger)) confirm(watcher.state, at)
    notes[scene]?.fired(at, device, watcher?.trigger, value, seen)
  }

  const queue = (watcher: Watcher, at: number) => {
    if (watcher.queued) return
    watcher.queued = true
    heap.add(at, { watcher })
  }

  const follow = (watcher: Watcher, verdict: Verdict) => {
    if (verdict.kind === 'fire') ask(watcher.scene, verdict.at, watcher.device, watcher, verdict.value)
    else if (verdict.kind === 'hold') queue(watcher, verdict.dueAt)
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
    // Before the range it was silent already.
    if (at < range.from) confirm(watcher.state, at)
    else follow(watcher, verdict)
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
    watcher.queued = false
    if (watcher.trigger.operator === 'noReport') lookForSilence(watcher, at)
    else follow(watcher, due(watcher.trigger, watcher.state, at))
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
      for (const watcher of own) judgeOne(watcher, fact)
    },
    tell(device, told) {
      for (const watcher of watchers[device] ?? []) judgeOne(watcher, told)
    },
    get cutOff() {
      return cutOff
    },
  }
}
