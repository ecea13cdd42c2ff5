import type { TaskInput } from '@ithings/contract/features/tasks.ts'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json } from '../json-column.ts'

export interface DeviceTaskTable {
  task_id: GeneratedAlways<number>
  name: string
  task_type: number
  product_id: string
  schedule: number
  is_enable: Generated<number>
  plan: Json<TaskInput>
  reason: Generated<string>
  last_run: number | null
  skipped: Generated<number>
  next_run_at: number | null
  edited_at: Generated<number>
  user_id: Generated<number>
  user_name: Generated<string>
  rev: Generated<number>
  created_at: Generated<Date>
}
