import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { approvePlan, listPlans, readPlan, refusePlan, undoPlan } from '@ithings/contract/features/plans.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useChange } from '#api/use-change.ts'

export const plansQuery = (body: BodyInput<typeof listPlans>) => endpointQuery(listPlans, body)
export const planQuery = (id: number) => endpointQuery(readPlan, { id })

const stale = [listPlans, readPlan]
export const useApprove = () => useChange(approvePlan, stale, true)
export const useRefuse = () => useChange(refusePlan, stale, true)
export const useUndo = () => useChange(undoPlan, stale, true)
