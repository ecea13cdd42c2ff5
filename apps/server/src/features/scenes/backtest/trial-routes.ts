/** Trying a scene before it is saved: a sample message, and what was stored. */
import * as contract from '@ithings/contract/features/scenes/trial.ts'
import type { JobsDeps } from '#features/jobs/door.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { type DryRunDeps, dryRunScene } from '../dry-run.ts'
import { startBacktest } from './start-backtest.ts'

export const trialRoutes = (deps: DryRunDeps & { jobs: JobsDeps }): MountedEndpoint[] => [
  on(contract.dryRunScene, (input) => dryRunScene(deps, input)),
  on(contract.startBacktest, (input, ctx) => startBacktest(deps, input, ctx.user)),
]
