import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listAccessRequests } from '@ithings/contract/features/access-requests.ts'
import { approvePlan, listPlans, readPlan, refusePlan, undoPlan } from '@ithings/contract/features/plans.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useChange } from '#api/use-change.ts'

export const plansQuery = (body: BodyInput<typeof listPlans>) => endpointQuery(listPlans, body)
export const planQuery = (id: number) => endpointQuery(readPlan, { id })

/** The bell counts those that wait. */
const stale = [listPlans, readPlan, listAccessRequests]
export const useApprove = () => useChange(approvePlan, stale, true)
export const useRefuse = () => useChange(refusePlan, stale, true)
export const useUndo = () => useChange(undoPlan, stale, true)
