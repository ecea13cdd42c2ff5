import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deliver, type Outcome, touchedBySend } from './debug-queries.ts'
import { type DebugRequest, newToken, noteSent, readSent, type SentRequest, withToken } from './sends.ts'

interface SendInput {
  request: DebugRequest
  shadowControl?: number
}

export interface Sender {
  send: (request: DebugRequest, shadowControl?: number) => void
  /** The same request once more, a message with a token of its own so that its reply is told apart. */
  repeat: (request: DebugRequest) => void
  pending: boolean
  /** Of the send before. */
  outcome: (Outcome & { latency: number }) | undefined
  /** A failure of ours, not of the device. */
  error: unknown
  sent: readonly SentRequest[]
}

/** Sends debug requests one after the other and remembers them. */
export function useSend(device: DeviceKey): Sender {
  const client = useQueryClient()
  const [sent, setSent] = useState(readSent)
  const mutation = useMutation({
    mutationFn: async ({ request, shadowControl = 0 }: SendInput) => {
      const at = Date.now()
      const began = performance.now()
      const outcome = await deliver(device, request, shadowControl)
      const latency = Math.round(performance.now() - began)
      const { productID, deviceName } = device
      const { code, text } = outcome
      setSent(noteSent({ ...request, id: newToken(), productID, deviceName, at, code, text, latency }))
      return { ...outcome, latency }
    },
    onSettled: () => Promise.all(touchedBySend.map((path) => client.invalidateQueries({ queryKey: [path] }))),
  })
  return {
    send: (request, shadowControl = 0) => mutation.mutate({ request, shadowControl }),
    repeat: (request) => {
      const data = request.kind === 'message' ? (withToken(request.data, newToken()) ?? request.data) : request.data
      mutation.mutate({ request: { ...request, data } })
    },
    pending: mutation.isPending,
    outcome: mutation.data,
    error: mutation.error,
    sent: sent.filter(
      ({ productID, deviceName }) => productID === device.productID && deviceName === device.deviceName,
    ),
  }
}
