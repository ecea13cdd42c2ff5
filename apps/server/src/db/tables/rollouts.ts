import type { Generated, GeneratedAlways } from 'kysely'
import type { JsonDefault } from '../json-column.ts'

export interface RolloutTable {
  run_id: GeneratedAlways<number>
  kind: 'task' | 'ota' | 'config'
  owner_id: number
  product_id: string
  topic: string
  trigger: Generated<string>
  state: Generated<number>
  reason: Generated<string>
  per_minute: number
  limit_to: number | null
  retries: Generated<number>
  retry_ms: Generated<number>
  total: Generated<number>
  success: Generated<number>
  failed: Generated<number>
  paced_from: Generated<number>
  paced_count: Generated<number>
  user_name: Generated<string>
  start_at: number
  end_at: Generated<number>
  started_at: Generated<number>
  finished_at: Generated<number>
  reopened_at: Generated<number>
  created_at: number
}

export interface RolloutDeviceTable {
  id: GeneratedAlways<number>
  run_id: number
  device_id: number
  product_id: string
  device_name: string
  position: number
  state: Generated<number>
  status: number
  code: Generated<number>
  msg: Generated<string>
  attempts: Generated<number>
  tried_before: Generated<number>
  client_token: Generated<string>
  detail: JsonDefault<Record<string, unknown>>
  due_at: Generated<number>
  claimed_by: Generated<string>
  sent_at: Generated<number>
  done_at: Generated<number>
  updated_at: number
}
