import type { ForwardFilter, ForwardForm, ForwardSource } from '@ithings/contract/features/forwarding/rules.ts'
import type { TargetSettings, TargetType } from '@ithings/contract/features/forwarding/targets.ts'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json, JsonDefault } from '../json-column.ts'
import type { Sealed } from '../sealed-column.ts'

export interface ForwardRuleTable {
  id: GeneratedAlways<number>
  name: string
  description: Generated<string>
  status: number
  sources: ForwardSource[]
  filter: Json<ForwardFilter>
  form: ForwardForm
  script: Generated<string>
  target_type: TargetType
  target: Json<Sealed | TargetSettings>
  lag_seconds: Generated<number>
  channel_ids: Generated<number[]>
  rev: Generated<number>
  created_at: Generated<Date>
}

/** A message as it was sent. */
export interface SentMessage {
  messageID: string
  source: ForwardSource
  productID: string
  deviceName: string
  time: number
  sentTime: number
  body: string
}

export interface ForwardStateTable {
  rule_id: number
  position: Json<object>
  owner: Generated<string>
  turn: Generated<number>
  lease_until: Generated<Date>
  sent: Generated<number>
  rate: Generated<number>
  oldest_at: Generated<number>
  loses_at: Generated<number>
  last_sent_at: Generated<number>
  error: Generated<string>
  error_at: Generated<number>
  recent: JsonDefault<SentMessage[]>
  lag_told_at: Generated<number>
}

export interface ForwardDeadLetterTable {
  id: GeneratedAlways<number>
  rule_id: number
  message_id: string
  source: ForwardSource
  product_id: string
  device_name: string
  identifier: string
  time: number
  created_at: number
  reason: string
  body: string
  content_type: string
  data: Json<Record<string, unknown>>
}
