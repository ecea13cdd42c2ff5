import type { ChannelLanguage, ChannelSettings } from '@ithings/contract/features/notify.ts'
import type { ChannelType } from '@ithings/contract/rules/channel-types.ts'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json, JsonDefault } from '../json-column.ts'
import type { Sealed } from '../sealed-column.ts'

export interface NotifyChannelTable {
  id: GeneratedAlways<number>
  name: string
  type: ChannelType
  status: Generated<number>
  description: Generated<string>
  settings: Json<Sealed | ChannelSettings>
  language: Generated<ChannelLanguage>
  rev: Generated<number>
  created_at: Generated<Date>
}

/** A stored file by its path, and how it is called. */
export interface Attachment {
  path: string
  name: string
}

export interface NotifyDeliveryTable {
  id: GeneratedAlways<number>
  channel_id: number | null
  channel_name: Generated<string>
  type: ChannelType
  settings: Json<Sealed | Partial<ChannelSettings>>
  target: Generated<string>
  language: Generated<ChannelLanguage>
  lane: Generated<string>
  title: string
  content: string
  payload: JsonDefault<Record<string, unknown>>
  state: Generated<number>
  attempts: Generated<number>
  code: Generated<number>
  error: Generated<string>
  source: string
  source_name: Generated<string>
  product_id: Generated<string>
  device_name: Generated<string>
  once_key: Generated<string>
  /** Goes along with a mail. */
  attachment: JsonDefault<Attachment | Record<string, never>>
  created_at: number
  next_at: number
  claimed_at: Generated<number>
  sent_at: Generated<number>
  latency: Generated<number>
}
