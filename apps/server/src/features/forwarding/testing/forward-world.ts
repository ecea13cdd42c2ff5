/** A platform whose rules send to a receiver on this machine. */
import { createForward, type forwardBody } from '@ithings/contract/features/forwarding/rules.ts'
import type * as z from 'zod'
import { answerJson, openReceiver, type Receiver } from '#features/notify/testing/receiver.ts'
import { uniqueText } from '#testing/people.ts'
import { openWorld, type World, type WorldOptions } from '#testing/world.ts'

export const allowLoopback = { webhookAllow: ['127.0.0.0/8'] }
export const openForwardWorld = (options: WorldOptions = {}): Promise<World> =>
  openWorld({ ...options, config: { ...allowLoopback, ...options.config } })

export interface Sent {
  id: string
  source: string
  time: number
  productID: string
  deviceName: string
  identifier?: string
  data: Record<string, unknown>
}

export const sentTo = ({ received }: Receiver): Sent[] =>
  received.flatMap(({ body }) => JSON.parse(body) as Sent | Sent[])

/** Takes everything, until the test says something else. */
export const openTaker = () => openReceiver(answerJson({ ok: true }))

type Fields = Partial<z.input<typeof forwardBody>>

export const makeRule = async (world: World, { url }: Receiver, fields: Fields = {}): Promise<number> => {
  const target = { type: 'webhook' as const, url, batch: 100 }
  const rule = { name: uniqueText('转发'), sources: ['property' as const], target, ...fields }
  return (await world.asAdmin(createForward, rule)).id
}
