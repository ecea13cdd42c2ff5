import type { ReportPlan } from '@ithings/contract/features/reports.ts'
import type { ChannelType } from '@ithings/contract/rules/channel-types.ts'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json, JsonDefault } from '../json-column.ts'

/** Written by a trigger on `device`. */
export interface DevicePresenceTable {
  device_id: number
  at: number
  online: boolean
}

export interface DevicePresenceStartTable {
  at: number
}

export interface ReportTable {
  id: GeneratedAlways<number>
  name: string
  is_enable: number
  schedule: number
  plan: Json<ReportPlan>
  next_at: number | null
  user_id: number
  user_name: string
  rev: Generated<number>
  created_at: Generated<Date>
}

export interface ToldChannel {
  channelID: number
  channelName: string
  type: ChannelType
  target: string
}

export interface ReportRunTable {
  id: GeneratedAlways<number>
  report_id: number
  job_id: string
  trigger: number
  period_from: number
  period_to: number
  tell: boolean
  user_name: string
  created_at: number
  finished_at: Generated<number>
  error: Generated<string>
  file_path: Generated<string>
  file_name: Generated<string>
  file_size: Generated<number>
  told: JsonDefault<ToldChannel[]>
  problems: JsonDefault<string[]>
}
