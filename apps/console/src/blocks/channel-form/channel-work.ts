import type { BodyInput } from '@ithings/contract/endpoint.ts'
import {
  createChannel,
  listChannels,
  listDeliveries,
  readChannel,
  testChannel,
} from '@ithings/contract/features/notify.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { readAgain } from '#api/use-change.ts'

export const refreshChannels = (client: QueryClient) => readAgain(client, [listChannels, listDeliveries])

/** Forms and dialogs show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

export function useCreateChannel() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyInput<typeof createChannel>) => call(createChannel, body, quiet),
    onSuccess: () => refreshChannels(client),
  })
}

/** With what the list does not tell; the platform logs who asked. */
export const useReadChannel = () =>
  useMutation({ mutationFn: (id: number) => call(readChannel, { id }, quiet), gcTime: 0 })

export function useTestChannel() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyInput<typeof testChannel>) => call(testChannel, body, quiet),
    onSuccess: () => refreshChannels(client),
  })
}
