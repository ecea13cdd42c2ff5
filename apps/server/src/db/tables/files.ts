import type { Generated } from 'kysely'

export interface ResumableUploadTable {
  upload_id: string
  user_id: number
  file_name: string
  size: number
  finished: Generated<boolean>
  created_at: number
}
