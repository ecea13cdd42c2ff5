/** Trying a scene before it is saved: a sample message, and what was stored. */
import * as contract from '@ithings/contract/features/scenes/trial.ts'
import type { JobsKit } from '#features/jobs/door.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { type DryRunKit, dryRunScene } from '../dry-run.ts'
import { startBacktest } from './start-backtest.ts'

export const trialRoutes = (kit: DryRunKit & { jobs: JobsKit }): MountedEndpoint[] => [
  on(contract.dryRunScene, (input) => dryRunScene(kit, input)),
  on(contract.startBacktest, (input, ctx) => startBacktest(kit, input, ctx.user)),
]
