import * as contract from '@ithings/contract/features/plans.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { applyConfig, createPlan, previewConfig } from './apply-config.ts'
import { approvePlan, refusePlan, undoPlan } from './decide-plan.ts'
import { exportConfig } from './export-config.ts'
import { listPlans, readPlan } from './list-plans.ts'
import type { PlansDeps } from './plans-deps.ts'

export const plansRoutes = (deps: PlansDeps): MountedEndpoint[] => [
  on(contract.exportConfig, (input, { user }) => exportConfig(deps, input, user)),
  on(contract.previewConfig, (input, ctx) => previewConfig(deps, input, ctx)),
  on(contract.applyConfig, (input, ctx) => applyConfig(deps, input, ctx)),
  on(contract.createPlan, (input, ctx) => createPlan(deps, input, ctx)),
  on(contract.listPlans, (input) => listPlans(deps.db, input)),
  on(contract.readPlan, (input, { user }) => readPlan(deps, input, user)),
  on(contract.approvePlan, (input, ctx) => approvePlan(deps, input, ctx)),
  on(contract.refusePlan, (input, ctx) => refusePlan(deps, input, ctx)),
  on(contract.undoPlan, (input, ctx) => undoPlan(deps, input, ctx)),
]
