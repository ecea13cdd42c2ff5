/** The machinery of runs: pace, claims, time-outs, retries, over all servers on one database. */
import type { RolloutParts, Rollouts } from './rollouts-kit.ts'

export function makeRollouts(_parts: RolloutParts): Rollouts {
  throw new Error('not written yet')
}
