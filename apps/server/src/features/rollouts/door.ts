export { type RolloutKind, type RolloutRow, type RolloutRun, RowState, RunState } from './rollout-kind.ts'
export { makeRollouts } from './rollouts.ts'
export type { Rollouts } from './rollouts-kit.ts'
