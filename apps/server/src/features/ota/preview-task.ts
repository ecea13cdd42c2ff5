import type { DataOf } from '@ithings/contract/endpoint.ts'
import { stageSizes } from '@ithings/contract/features/ota/stages.ts'
import type { OtaTaskInput, previewOtaTask } from '@ithings/contract/features/ota/task.ts'
import { checkPlan } from './check-plan.ts'
import type { OtaKit } from './ota-kit.ts'
import { countTargets, skipReasons } from './targets.ts'
import { pushSeconds, worstCase } from './worst-case.ts'

/** Whom a task would take, and what a broken firmware would do; nothing is stored. */
export async function previewTask({ db, clock }: OtaKit, input: OtaTaskInput): Promise<DataOf<typeof previewOtaTask>> {
  const { question } = await checkPlan(db, input, clock.now())
  const { matched, online, skipped, versions } = await countTargets(db, question)
  const sizes = stageSizes(input.stages, matched)
  return {
    matched,
    online,
    skipped: skipped.map((one) => ({ ...one, label: skipReasons[one.reason] })),
    versions,
    worstCase: worstCase(input, matched),
    seconds: pushSeconds(input.maximumPerMinute, matched),
    stages: input.stages.map(({ percent }, i) => ({ percent, devices: sizes[i] ?? 0 })),
  }
}
