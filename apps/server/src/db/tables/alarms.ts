import type { AlarmInfo } from '@ithings/contract/features/alarms/config.ts'
import type { Generated, GeneratedAlways } from 'kysely'
import type { JsonDefault } from '../json-column.ts'

export interface AlarmTable {
  id: GeneratedAlways<number>
  name: string
  status: Generated<number>
  level: number
  description: Generated<string>
  notify: JsonDefault<Partial<AlarmInfo['notify']>>
  rev: Generated<number>
  created_at: Generated<Date>
}

export interface AlarmSceneTable {
  alarm_id: number
  scene_id: number
}

export interface AlarmRecordTable {
  id: GeneratedAlways<number>
  alarm_id: number
  trigger_type: number
  product_id: string
  device_name: string
  scene_id: number
  scene_name: string
  level: number
  deal_state: number
  first_alarm: number
  last_alarm: number
  count: number
  total_count: number
  cause: Generated<string>
  claim_user_id: Generated<number>
  claim_user: Generated<string>
  claimed_at: Generated<number>
  dealt_at: Generated<number>
  dealt_by: Generated<string>
  deal_result: Generated<string>
  due_at: Generated<number>
  notified_at: Generated<number>
  notified_run: Generated<number>
  created_at: number
}

export interface AlarmLogTable {
  id: GeneratedAlways<number>
  alarm_record_id: number
  description: Generated<string>
  serial: Generated<string>
  scene_id: number
  scene_name: string
  level: number
  product_id: string
  device_name: string
  run_id: number
  created_at: number
  xid: Generated<string | null>
}

export interface AlarmDealTable {
  id: GeneratedAlways<number>
  alarm_record_id: number
  result: string
  type: number
  alarm_time: number
  user_id: Generated<number>
  user_name: Generated<string>
  created_at: number
  xid: Generated<string | null>
}
