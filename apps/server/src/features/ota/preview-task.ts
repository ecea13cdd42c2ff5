import type { DataOf } from '@ithings/contract/endpoint.ts'
import { failuresToHalt, fewestEnded, stageSizes } from '@ithings/contract/features/ota/stages.ts'
import type { OtaStage, OtaTaskInput, previewOtaTask } from '@ithings/contract/features/ota/task.ts'
import { kept } from '@ithings/contract/text.ts'
import { checkPlan } from './check-plan.ts'
import type { OtaDeps } from './ota-deps.ts'
import { countTargets, skipReasons } from './targets.ts'

// How many devices are pushed before a firmware that breaks every device is halted (screens.md 22). Pure.

interface PushPlan {
  stages: readonly OtaStage[]
  maximumPerMinute: number
  timeoutInMinutes: number
  retryCount: number
  retryInterval: number
  probationMinutes: number
}

/**
 * Broken devices say nothing: each failure is only known after its last time-out. Or they come with the new version at
 * the last moment and do not stay: then their probation is over a time-out after it should have been.
 */
function minutesToFail({ timeoutInMinutes, retryCount, retryInterval, probationMinutes }: PushPlan): number {
  const trial = probationMinutes > 0 ? probationMinutes + timeoutInMinutes : 0
  return (retryCount + 1) * (timeoutInMinutes + trial) + retryCount * retryInterval
}

export function worstCase(plan: PushPlan, total: number): number {
  const sizes = stageSizes(plan.stages, total)
  let before = 0
  for (const [i, stage] of plan.stages.entries()) {
    const devices = sizes[i] ?? 0
    if (devices > 0 && stage.failPercent > 0) {
      const failures = Math.min(failuresToHalt(stage, devices), Math.min(fewestEnded, devices))
      const meanwhile = Math.ceil(minutesToFail(plan) * plan.maximumPerMinute)
      return before + Math.min(devices, failures + meanwhile)
    }
    before += devices
    // It cannot succeed, so the next stage never begins.
    if (devices > 0 && stage.successPercent > 0) return before
  }
  return total
}

/** From the first push to the last, when nothing has to be waited for. */
export const pushSeconds = (perMinute: number, total: number): number =>
  total < 2 ? 0 : Math.ceil(((total - 1) * 60) / perMinute)

/** Whom a task would take, and what a broken firmware would do; nothing is stored. */
export async function previewTask({ db, clock }: OtaDeps, input: OtaTaskInput): Promise<DataOf<typeof previewOtaTask>> {
  const { question } = await checkPlan(db, input, clock.now())
  const { matched, online, skipped, versions } = await countTargets(db, question)
  const sizes = stageSizes(input.stages, matched)
  return {
    matched,
    online,
    skipped: skipped.map((one) => ({ ...one, label: kept(skipReasons[one.reason], { context: 'reason' }) })),
    versions,
    worstCase: worstCase(input, matched),
    seconds: pushSeconds(input.maximumPerMinute, matched),
    stages: input.stages.map(({ percent }, i) => ({ percent, devices: sizes[i] ?? 0 })),
  }
}
