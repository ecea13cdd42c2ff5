import * as home from '@ithings/contract/features/home.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { HomeDeps } from './home-deps.ts'
import { readAttention } from './read-attention.ts'
import { readFirstSteps } from './read-first-steps.ts'
import { readMap } from './read-map.ts'
import { readSummary } from './read-summary.ts'
import { readTrend } from './read-trend.ts'

export const homeRoutes = (deps: HomeDeps): MountedEndpoint[] => [
  on(home.readHomeSummary, (_input, ctx) => readSummary(deps, ctx.user.role)),
  on(home.readHomeTrend, (input, ctx) => readTrend(deps, input, ctx.user.role)),
  on(home.readHomeMap, (input, ctx) => readMap(deps, input, ctx.user)),
  on(home.readHomeAttention, (input, ctx) => readAttention(deps, input, ctx.user.role)),
  on(home.readFirstSteps, (_input, ctx) => readFirstSteps(deps, ctx.user.role)),
]
