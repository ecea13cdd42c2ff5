import type { Generated } from 'kysely'
import type { Json } from '../json-column.ts'

export interface JobTable {
  job_id: string
  kind: string
  title: string
  status: Generated<number>
  total: Generated<number>
  done: Generated<number>
  error: Generated<string>
  attempts: Generated<number>
  user_id: Generated<number>
  user_name: Generated<string>
  /** What its file is written in. */
  language: Generated<string>
  input: Json<object>
  result: Generated<string>
  file_path: Generated<string>
  file_name: Generated<string>
  cancel_requested: Generated<boolean>
  deadline_at: Date
  created_at: Generated<Date>
  finished_at: Date | null
  /** Waiting: not begun before. Running: who runs it has it until then, and says so again and again. */
  next_at: Generated<Date>
}
