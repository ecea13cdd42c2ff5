export { isAway } from './count-rows.ts'
export { dropRun } from './housekeeping.ts'
export {
  type Review,
  type RolloutKind,
  type RolloutRow,
  type RolloutRun,
  RowState,
  type RunCounts,
  RunState,
  type SendOutcome,
} from './rollout-kind.ts'
export { makeRollouts } from './rollouts.ts'
export type { NewRow, Rollouts } from './rollouts-deps.ts'
export { parkedUntil } from './run-row.ts'
