/** What a backtest found, gathered while it runs, within bounds. */
import { type BacktestReport, backtestLimits } from '@ithings/contract/features/scenes/trial.ts'
import { checkConditions } from '../engine/check-conditions.ts'
import type { CompiledCondition, CompiledScene, CompiledTrigger } from '../engine/engine-types.ts'
import { memberValue } from '../engine/judge.ts'
import type { PlannedDevice } from './backtest-plan.ts'
import type { SceneNotes, See } from './replay-scene.ts'

const shownMisses = 100

type Leaf = CompiledCondition & { kind: 'property' }
const leavesOf = (list: readonly CompiledCondition[]): Leaf[] =>
  list.flatMap((one) => [...(one.kind === 'property' ? [one] : []), ...leavesOf(one.children?.terms ?? [])])

export interface FoundNotes extends SceneNotes {
  fires: BacktestReport['fired']
  total: number
  /** The devices that fired. */
  devices: Set<number>
  misses: number
  firstMisses: BacktestReport['missedAt']
}

/** Of the scene in question: every firing with what was seen. */
export function makeFoundNotes(scene: CompiledScene): FoundNotes {
  const leaves = leavesOf(scene.conditions)
  const valuesSeen = (trigger: CompiledTrigger | undefined, value: unknown, see: See) => {
    const values: Record<string, string> = {}
    for (const { source, member, show } of leaves) {
      const place = [source.deviceName, source.property, member].filter((part) => part !== '').join('.')
      const seen = memberValue(see(source), member)
      values[place] = seen === undefined ? '' : show(seen)
    }
    if (trigger && value !== undefined) {
      const place = trigger.member === '' ? trigger.dataID : `${trigger.dataID}.${trigger.member}`
      values[place] = trigger.show(value)
    }
    return values
  }
  const found: FoundNotes = {
    fires: [],
    total: 0,
    devices: new Set(),
    misses: 0,
    firstMisses: [],
    fired(at, device: PlannedDevice | undefined, trigger, value, see) {
      found.total++
      if (device) found.devices.add(device.ref.deviceID)
      if (found.fires.length >= backtestLimits.firings) return
      found.fires.push({
        timestamp: at,
        deviceName: device?.ref.deviceName ?? '',
        values: valuesSeen(trigger, value, see),
      })
    },
    missed(at, device, see) {
      found.misses++
      if (found.firstMisses.length >= shownMisses) return
      const { reason } = checkConditions(scene.conditions, { value: see, at })
      found.firstMisses.push({ timestamp: at, deviceName: device?.ref.deviceName ?? '', reason })
    },
  }
  return found
}

/** Of the saved version: only when. */
export function makeSavedNotes() {
  const times: number[] = []
  const saved = {
    total: 0,
    times,
    fired(at: number) {
      saved.total++
      if (times.length < backtestLimits.firings) times.push(at)
    },
    missed() {},
  } satisfies SceneNotes & { total: number; times: number[] }
  return saved
}

/** Least and greatest value of the trigger's property in each of a few hundred stretches of the range. */
export function makeChart(trigger: CompiledTrigger | undefined, range: { from: number; to: number }) {
  const width = Math.max(1, Math.ceil((range.to - range.from) / backtestLimits.chartPoints))
  const size = Math.ceil((range.to - range.from) / width)
  const least = new Float64Array(size).fill(Number.POSITIVE_INFINITY)
  const greatest = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
  const member = trigger?.member ?? ''
  return {
    add(time: number, value: unknown): void {
      const number = member === '' ? value : memberValue(value, member)
      if (typeof number !== 'number') return
      const place = Math.floor((time - range.from) / width)
      if (number < (least[place] as number)) least[place] = number
      if (number > (greatest[place] as number)) greatest[place] = number
    },
    finish(): BacktestReport['chart'] {
      const points: BacktestReport['chart']['points'] = []
      for (let place = 0; place < size; place++) {
        const [min, max] = [least[place] as number, greatest[place] as number]
        if (min <= max) points.push({ timestamp: range.from + place * width, min, max })
      }
      if (!trigger || points.length === 0) return { property: '', threshold: [], points: [] }
      const property = member === '' ? trigger.dataID : `${trigger.dataID}.${member}`
      return { property, threshold: trigger.threshold.map(Number).filter(Number.isFinite), points }
    },
  }
}
