/** Answers of devices to a token that is not written yet (kinds whose sending makes its own): kept for a moment. */
import type { Clock } from '#ports/clock.ts'
import type { RolloutKindName } from './rollout-kind.ts'
import type { Settlement } from './rollouts-kit.ts'

const keepMs = 30_000
const most = 10_000

export interface EarlyAnswers {
  keep(ref: { kind: RolloutKindName; deviceID: number; token: string }, settlement: Settlement): void
  take(kind: RolloutKindName, row: { deviceID: number; clientToken: string }): Settlement | undefined
}

export function makeEarlyAnswers(clock: Clock): EarlyAnswers {
  const answers = new Map<string, { settlement: Settlement; until: number }>()
  const keyOf = (kind: RolloutKindName, deviceID: number, token: string) => `${kind}/${deviceID}/${token}`
  return {
    keep({ kind, deviceID, token }, settlement) {
      const now = clock.now()
      // In the order of their coming: the oldest are first.
      for (const [key, { until }] of answers) {
        if (until > now && answers.size < most) break
        answers.delete(key)
      }
      answers.set(keyOf(kind, deviceID, token), { settlement, until: now + keepMs })
    },
    take(kind, { deviceID, clientToken }) {
      const key = keyOf(kind, deviceID, clientToken)
      const found = answers.get(key)
      answers.delete(key)
      return found && found.until > clock.now() ? found.settlement : undefined
    },
  }
}
