import type { Device } from '@ithings/contract/features/devices/info.ts'
import type { Product } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Values } from '../property-changes/changes.ts'
import { useChanges } from '../property-changes/use-changes.tsx'
import { deliver, type Outcome, touchedBySend } from './queries.ts'
import { newToken, noteSent, readSent, type SendRequest, type SentRequest, withToken } from './sends.ts'

interface SendInput {
  request: SendRequest
  shadowControl?: number
}

export interface Sender {
  send: (request: SendRequest, shadowControl?: number) => void
  /** The same request once more, a message with a token of its own so that its reply is told apart. */
  repeat: (request: SendRequest) => void
  pending: boolean
  /** Of the send before. */
  outcome: (Outcome & { latency: number }) | undefined
  /** A failure of ours, not of the device. */
  error: unknown
  sent: readonly SentRequest[]
  /** What the device has reported; nothing when that cannot be read. */
  reported: () => Promise<Values>
}

export interface SendFormProps {
  device: Device
  product: Product
  model: ThingModel
  /** A request that the form starts from: replayed, saved, or asked for by a link. */
  draft: SendRequest | undefined
  sender: Sender
  /** Buttons beside 发送, for what is in the form now; undefined: nothing yet. */
  actions: (request: SendRequest | undefined) => ReactNode
}

/** Sends requests one after the other and remembers them; asks before several properties change at once. */
export function useSend(device: Device, model: ThingModel): Sender {
  const client = useQueryClient()
  const [sent, setSent] = useState(() => readSent())
  const { reported, ask } = useChanges(device, model)
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
  const asked = (input: SendInput) => {
    const { kind, data } = input.request
    ask({ values: kind === 'property' ? JSON.parse(data) : {}, okText: t('发送'), send: () => mutation.mutate(input) })
  }
  return {
    reported,
    send: (request, shadowControl = 0) => asked({ request, shadowControl }),
    repeat: (request) => {
      const data = request.kind === 'message' ? (withToken(request.data, newToken()) ?? request.data) : request.data
      asked({ request: { ...request, data } })
    },
    pending: mutation.isPending,
    outcome: mutation.data,
    error: mutation.error,
    sent: sent.filter(
      ({ productID, deviceName }) => productID === device.productID && deviceName === device.deviceName,
    ),
  }
}
