/** How an upgrade stands, as numbers that bars, funnel and gauge are drawn from. Pure. */
import { failuresLeft, stageCountsOf } from '@ithings/contract/features/ota/stages.ts'
import {
  OtaStatus,
  OtaTaskStatus,
  otaStatusLabels,
  type OtaStatus as Status,
} from '@ithings/contract/features/ota/states.ts'
import type { OtaStage } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import type { ProgressPart } from '#blocks/stacked-progress.tsx'
import { withIndex } from '#kit/with-index.ts'

export type Counts = Readonly<Record<string, number>>

export const countOf = (counts: Counts, status: Status): number => counts[status] ?? 0

export const totalOf = (counts: Counts): number =>
  Object.values(OtaStatus).reduce((sum, status) => sum + countOf(counts, status), 0)

const tones: [Status, ProgressPart['tone']][] = [
  [OtaStatus.success, 'success'],
  [OtaStatus.failed, 'error'],
  [OtaStatus.higher, 'warning'],
  [OtaStatus.updating, 'processing'],
  [OtaStatus.pushed, 'pushed'],
]

/** look.md "Progress": success, failed, running, pushed; what is left has not begun or was cancelled. */
export const barParts = (counts: Counts): ProgressPart[] =>
  tones.map(([status, tone]) => ({ label: t(otaStatusLabels[status]), value: countOf(counts, status), tone }))

/** Devices with an end state. */
export const endedOf = (counts: Counts): number =>
  countOf(counts, OtaStatus.success) +
  countOf(counts, OtaStatus.failed) +
  countOf(counts, OtaStatus.higher) +
  countOf(counts, OtaStatus.cancelled)

/** Percent of the devices that came to success or failure; undefined before the first. */
export function successRate(counts: Counts): number | undefined {
  const good = countOf(counts, OtaStatus.success)
  const judged = good + countOf(counts, OtaStatus.failed)
  return judged === 0 ? undefined : (good / judged) * 100
}

/** 94.4%, 100%, 0%: never rounded up to "all" or down to "none". */
export function percentText(percent: number): string {
  if (percent <= 0) return '0%'
  if (percent >= 100) return '100%'
  const text = percent.toFixed(1)
  if (text === '100.0') return '99.9%'
  if (text === '0.0') return '<0.1%'
  return `${Number(text)}%`
}

export interface FunnelStep {
  status: Status
  /** Devices there now. */
  here: number
  /** Devices that came so far or farther. */
  reached: number
  /** Of the whole, 0 to 100. */
  percent: number
}

/**
 * look.md "Progress": height = devices that reached the step, figure = devices there now. A failed device got as far as
 * an update (it was pushed and said no, or timed out); one that is too new or was cancelled left before it began.
 */
export function funnelOf(counts: Counts): FunnelStep[] {
  const total = totalOf(counts)
  const at = (status: Status) => countOf(counts, status)
  const success = at(OtaStatus.success)
  const updating = success + at(OtaStatus.updating) + at(OtaStatus.failed)
  const pushed = updating + at(OtaStatus.pushed)
  const steps: [Status, number][] = [
    [OtaStatus.waiting, total],
    [OtaStatus.pushed, pushed],
    [OtaStatus.updating, updating],
    [OtaStatus.success, success],
  ]
  return steps.map(([status, reached]) => ({
    status,
    here: at(status),
    reached,
    percent: total === 0 ? 0 : (reached / total) * 100,
  }))
}

/** Of few devices a share may be nobody (1% and 10% of five are the same one device): such a stage is not counted. */
export const shownStages = <T extends { devices: number }>(stages: readonly T[]): { no: number; item: T }[] =>
  withIndex(stages).filter(({ item }) => item.devices > 0)

/** Its place among the stages that have devices, from 1. */
export const stageNo = (stages: readonly { devices: number }[], index: number): number =>
  shownStages(stages.slice(0, index + 1)).length || 1

export interface HaltGauge {
  /** Percent failed of those that came to an end. */
  rate: number
  threshold: number
  ended: number
  failed: number
  /** So many more failures, with no success between, halt the task; undefined: nothing halts it any more. */
  left: number | undefined
  tone: 'calm' | 'near' | 'over'
}

/** The gauge of the stage at work; undefined when its threshold never halts. @param forced somebody let it pass */
export function haltGauge(stage: OtaStage & { counts: Counts }, forced = false): HaltGauge | undefined {
  const threshold = stage.failPercent
  if (threshold <= 0) return undefined
  const counts = stageCountsOf(stage.counts)
  const { failed } = counts
  const ended = counts.success + failed
  const rate = ended === 0 ? 0 : (failed / ended) * 100
  const left = failuresLeft(stage, counts)
  const tone = left === 0 ? 'over' : rate >= threshold * 0.6 ? 'near' : 'calm'
  return { rate, threshold, ended, failed, left: forced ? undefined : left, tone }
}

/** Devices of a stage or of a whole task, with those that are not there. */
export interface Underway {
  counts: Counts
  away: number
  startedTime: number
}

/** Devices that can go on now: open and there. */
export const movingOf = ({ counts, away }: Pick<Underway, 'counts' | 'away'>): number =>
  Math.max(0, totalOf(counts) - endedOf(counts) - away)

/** Nobody moves, somebody is waited for. */
export const isBlocked = (one: Pick<Underway, 'counts' | 'away'>): boolean => one.away > 0 && movingOf(one) === 0

/**
 * When the last of those that move ends if they go on as until now (seconds); undefined: nothing tells. Who is away is no
 * part of it, nor who left without an upgrade.
 */
export function expectedEnd(one: Underway, now: number): number | undefined {
  const done = countOf(one.counts, OtaStatus.success) + countOf(one.counts, OtaStatus.failed)
  const moving = movingOf(one)
  if (done === 0 || moving === 0 || one.startedTime === 0) return undefined
  return Math.round(now + ((now - one.startedTime) / done) * moving)
}

export type StageState = 'passed' | 'working' | 'halted' | 'waiting' | 'cancelled'

interface TaskStages {
  status: number
  stage: number
  paused: number
  haltReason: string
}

/** Where the stage with this index stands in its task; `open`: the task is not over. */
export function stageState(task: TaskStages, index: number, open: boolean): StageState {
  if (index < task.stage) return 'passed'
  if (index > task.stage) return 'waiting'
  if (!open) return task.status === OtaTaskStatus.cancelled ? 'cancelled' : 'passed'
  return task.paused === 1 && task.haltReason !== '' ? 'halted' : 'working'
}
