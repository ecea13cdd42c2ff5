import type { BodyInput } from '@ithings/contract/endpoint.ts'
import {
  type Channel,
  DeliveryState,
  deleteChannel,
  listChannels,
  listDeliveries,
  retryDelivery,
  updateChannel,
} from '@ithings/contract/features/notify.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { refreshChannels } from '#blocks/channel-form/channel-work.ts'
import { refreshInterval } from '#kit/auto-refresh.tsx'
import { resolveTime, type TimeChoice } from '#kit/time-choice.ts'

export const channelsQuery = (body: BodyInput<typeof listChannels>) => endpointQuery(listChannels, body)

type LogBody = BodyInput<typeof listDeliveries>
export interface DeliveryFilters extends Omit<LogBody, 'page' | 'timeStart' | 'timeEnd'> {
  time?: TimeChoice
}

/** `[timeStart, timeEnd)` of the contract; a preset that lasts until now has no end. */
export function periodOf(
  time: TimeChoice | undefined,
  now: number = Date.now(),
): Pick<LogBody, 'timeStart' | 'timeEnd'> {
  if (!time) return {}
  const { timeStart, timeEnd } = resolveTime(time, now)
  // The last millisecond belongs to what somebody picked.
  return { timeStart: Number(timeStart), ...(timeEnd !== '0' && { timeEnd: Number(timeEnd) + 1 }) }
}

/** Reads itself again while something on the page is still on its way. */
export const deliveriesQuery = (page: LogBody['page'], { time, ...filters }: DeliveryFilters) =>
  queryOptions({
    queryKey: [listDeliveries.path, { page, time, ...filters }],
    queryFn: ({ signal }) => call(listDeliveries, { page, ...filters, ...periodOf(time) }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.list.some((one) => one.state === DeliveryState.waiting) ? refreshInterval : false,
  })

/** Forms and dialogs show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

export function useUpdateChannel() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyInput<typeof updateChannel>) => call(updateChannel, body, quiet),
    onSuccess: () => refreshChannels(client),
  })
}

/** The whole channel travels; what the list does not tell of it stays. */
export function useChannelStatus() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ channel, status }: { channel: Channel; status: number }) => {
      const { id, rev, name, type, desc, settings } = channel
      return call(updateChannel, { id, rev, name, type, desc, settings, status })
    },
    onSettled: () => refreshChannels(client),
  })
}

export function useDeleteChannel() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(deleteChannel, { id }, quiet),
    onSuccess: () => refreshChannels(client),
  })
}

export function useRetryDelivery() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(retryDelivery, { id }),
    onSuccess: () => refreshChannels(client),
  })
}
