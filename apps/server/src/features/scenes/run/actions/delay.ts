import { errors, refusal } from '@ithings/contract/errors.ts'
import type { SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { secondsOf } from '@ithings/contract/rules/time-units.ts'
import { type ActionOutcome, done, failed } from './action-deps.ts'

/** The waiting itself is the database's: it survives a restart (resume.ts). */
export function runDelay({ delay }: SceneAction): ActionOutcome {
  const seconds = delay ? secondsOf({ value: delay.time, unit: delay.unit }) : Number.NaN
  if (!Number.isFinite(seconds) || seconds < 0) {
    return { ...failed(refusal(errors.parameter, '延时的时间不对')), fatal: true }
  }
  return { ...done(''), waitMs: seconds * 1000 }
}
