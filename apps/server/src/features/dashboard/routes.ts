import * as home from '@ithings/contract/features/home.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { DashboardKit } from './dashboard-kit.ts'
import { readAttention } from './read-attention.ts'
import { readFirstSteps } from './read-first-steps.ts'
import { readMap } from './read-map.ts'
import { readSummary } from './read-summary.ts'
import { readTrend } from './read-trend.ts'

export const dashboardRoutes = (kit: DashboardKit): MountedEndpoint[] => [
  on(home.readHomeSummary, () => readSummary(kit)),
  on(home.readHomeTrend, (input) => readTrend(kit, input)),
  on(home.readHomeMap, (input) => readMap(kit, input)),
  on(home.readHomeAttention, (input) => readAttention(kit, input)),
  on(home.readFirstSteps, () => readFirstSteps(kit)),
]
