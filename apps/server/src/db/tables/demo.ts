import type { Generated } from 'kysely'

export interface DemoTable {
  id: Generated<number>
  job_id: Generated<string>
  complete: Generated<boolean>
  removing: Generated<boolean>
  from_at: Generated<number>
  loaded_at: Generated<number>
}

export interface DemoItemTable {
  kind: 'product' | 'group' | 'scene' | 'alarm'
  id: string
}
