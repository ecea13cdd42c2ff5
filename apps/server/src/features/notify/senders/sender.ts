import type { Readable } from 'node:stream'
import type { ChannelLanguage, ChannelSettings } from '@ithings/contract/features/notify.ts'

/** One notification on its way out. */
export interface Outgoing {
  /** The same for every try, so that receivers can tell a repetition. */
  id: string
  settings: ChannelSettings
  /** Of what we write ourselves around the notice; its own words are in it already. */
  language: ChannelLanguage
  title: string
  content: string
  /** More fields of a webhook's body. */
  payload: Record<string, unknown>
  source: string
  sourceName: string
  productID: string
  deviceName: string
  /** What a mail carries; read anew by each try. */
  attachment?: { name: string; content(): Readable }
  /** When it was made, ms. */
  createdTime: number
}

export interface Answer {
  ok: boolean
  /** HTTP status, SMTP code or a robot's own code; 0 when there was no answer. */
  code: number
  /** For people: what went wrong (kept, to be said to whoever reads it), or what the receiver said. */
  msg: string
  /** Sent, but not to everybody: what people should know. */
  warning?: string
  /** Trying again cannot help. */
  final?: boolean
}

/** Never throws for what the other side does; a throw is a fault of ours. */
export type Sender = (message: Outgoing) => Promise<Answer>

export const failure = (msg: string, options: { code?: number; final?: boolean } = {}): Answer => ({
  ok: false,
  code: options.code ?? 0,
  msg,
  ...(options.final && { final: true }),
})
