/** When the next stage of an upgrade begins and when it halts (screens.md 22). Pure: server and console judge alike. */
import { type Phrase, phrase } from '#text.ts'
import { OtaStatus } from './states.ts'
import type { OtaStage } from './task.ts'

/** Share of devices that failed is not looked at before so many of a stage have an end. */
export const fewestEnded = 10

/** Devices of one stage. */
export interface StageCounts {
  total: number
  success: number
  failed: number
  /** Higher version, cancelled, or the package was not for them: they say nothing about the firmware. */
  left: number
}

/** @param counts devices by status */
export function stageCountsOf(counts: Readonly<Record<string, number>>): StageCounts {
  const of = (...statuses: number[]) => statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  return {
    total: of(...Object.values(OtaStatus)),
    success: of(OtaStatus.success),
    failed: of(OtaStatus.failed),
    left: of(OtaStatus.higher, OtaStatus.cancelled),
  }
}

/** Position of the last device of each stage; the first stage has at least one. */
export const stageBounds = (stages: readonly OtaStage[], total: number): number[] =>
  // A share like 0.07 × 100 must not become 8 by a rounding error.
  stages.map(({ percent }) => Math.min(total, Math.ceil(Number(((percent * total) / 100).toFixed(6)))))

/** Devices of each stage alone. */
export const stageSizes = (stages: readonly OtaStage[], total: number): number[] => {
  const bounds = stageBounds(stages, total)
  return bounds.map((bound, i) => bound - (bounds[i - 1] ?? 0))
}

const share = (percent: number, of: number): number => Math.ceil((percent * of) / 100)

/** So many failures halt a stage whatever comes after them. */
export const failuresToHalt = ({ failPercent }: OtaStage, devices: number): number =>
  Math.max(1, share(failPercent, devices))

/** By the failures that are certain to be too many, or by their share so far. */
function failsTooMuch(stage: OtaStage, counts: StageCounts): boolean {
  if (stage.failPercent === 0 || counts.failed === 0) return false
  const devices = counts.total - counts.left
  const ended = counts.success + counts.failed
  const enough = ended >= Math.min(fewestEnded, devices)
  return counts.failed >= failuresToHalt(stage, devices) || (enough && counts.failed * 100 >= stage.failPercent * ended)
}

/**
 * So many more failures, with no success between, halt the stage; 0: it is there.
 * undefined: not even if all that are left fail.
 */
export function failuresLeft(stage: OtaStage, counts: StageCounts): number | undefined {
  const rest = Math.max(0, counts.total - counts.left - counts.success - counts.failed)
  for (let more = 0; more <= rest; more++) {
    if (failsTooMuch(stage, { ...counts, failed: counts.failed + more })) return more
  }
  return undefined
}

export type StageVerdict = { then: 'wait' | 'next' } | { then: 'halt'; reason: Phrase }

export function judgeStage(stage: OtaStage, counts: StageCounts, forced = false): StageVerdict {
  const devices = counts.total - counts.left
  const ended = counts.success + counts.failed
  const over = ended >= devices
  if (!forced && failsTooMuch(stage, counts)) {
    const percent = Math.round((counts.failed / ended) * 100)
    return {
      then: 'halt',
      reason: phrase('失败率过高：{ended} 台已结束，{failed} 台失败（{percent}%，阈值 {failPercent}%）', {
        ended,
        failed: counts.failed,
        percent,
        failPercent: stage.failPercent,
      }),
    }
  }
  // Without a threshold a stage is over when all of it have an end: else it would be no stage.
  if (stage.successPercent > 0 && counts.success >= share(stage.successPercent, devices)) return { then: 'next' }
  if (!over) return { then: 'wait' }
  if (forced || stage.successPercent === 0) return { then: 'next' }
  const percent = Math.floor((counts.success / devices) * 100)
  return {
    then: 'halt',
    reason: phrase('成功率不足：{devices} 台中 {success} 台成功（{percent}%，须达到 {successPercent}%）', {
      devices,
      success: counts.success,
      percent,
      successPercent: stage.successPercent,
    }),
  }
}
