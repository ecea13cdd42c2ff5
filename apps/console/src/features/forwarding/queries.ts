import type { BodyInput } from '@ithings/contract/endpoint.ts'
import {
  createForward,
  deleteDeadLetters,
  deleteForward,
  listDeadLetters,
  listForwards,
  readForward,
  recentForwards,
  replayForward,
  resendDeadLetters,
  testForward,
  updateForward,
} from '@ithings/contract/features/forwarding/rules.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useChange } from '#api/use-change.ts'
import { refreshInterval } from '#kit/auto-refresh.tsx'

/** Drawers show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }
/** Rates and lags move all the time. */
const living = { refetchInterval: refreshInterval }

export const forwardsQuery = (body: BodyInput<typeof listForwards>) => ({
  ...endpointQuery(listForwards, body),
  ...living,
})
export const forwardQuery = (id: number) => ({ ...endpointQuery(readForward, { id }, quiet), ...living })
export const recentQuery = (id: number) => ({ ...endpointQuery(recentForwards, { id }, quiet), ...living })
export const lettersQuery = (body: BodyInput<typeof listDeadLetters>) => ({
  ...endpointQuery(listDeadLetters, body, quiet),
  ...living,
})

const rules = [listForwards, readForward]
const letters = [...rules, listDeadLetters]
export const useCreateForward = () => useChange(createForward, rules)
export const useUpdateForward = () => useChange(updateForward, rules, true)
export const useReplayForward = () => useChange(replayForward, rules)
/** Its own page must not be asked for again. */
export const useDeleteForward = () => useChange(deleteForward, [listForwards], true)
export const useTestForward = () => useChange(testForward, [])
export const useResendLetters = () => useChange(resendDeadLetters, letters, true)
export const useDeleteLetters = () => useChange(deleteDeadLetters, letters, true)
