import * as home from '@ithings/contract/features/home.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { DashboardKit } from './dashboard-kit.ts'
import { readAttention } from './read-attention.ts'
import { readFirstSteps } from './read-first-steps.ts'
import { readMap } from './read-map.ts'
import { readSummary } from './read-summary.ts'
import { readTrend } from './read-trend.ts'

export const dashboardRoutes = (kit: DashboardKit): MountedEndpoint[] => [
  on(home.readHomeSummary, (_input, ctx) => readSummary(kit, ctx.user.role)),
  on(home.readHomeTrend, (input, ctx) => readTrend(kit, input, ctx.user.role)),
  on(home.readHomeMap, (input, ctx) => readMap(kit, input, ctx.user.role)),
  on(home.readHomeAttention, (input, ctx) => readAttention(kit, input, ctx.user.role)),
  on(home.readFirstSteps, (_input, ctx) => readFirstSteps(kit, ctx.user.role)),
]
