import type { Device } from '@ithings/contract/features/devices/info.ts'
import type { Product } from '@ithings/contract/features/products/info.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import type { ReactNode } from 'react'
import type { DebugRequest } from './sends.ts'
import type { AskedSender } from './use-asked-send.tsx'

/** A request that a form starts from: replayed, saved, or asked for by a link. */
export type Draft = DebugRequest

export interface SendFormProps {
  device: Device
  product: Product
  model: ThingModel
  draft: Draft | undefined
  sender: AskedSender
  /** Buttons beside 发送, for what is in the form now; undefined: nothing yet. */
  actions: (request: DebugRequest | undefined) => ReactNode
}
