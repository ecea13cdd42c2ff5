import type { ConfigChange, PlanOrigin } from '@ithings/contract/features/plans.ts'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json } from '../json-column.ts'
import type { Sealed } from '../sealed-column.ts'

export interface ConfigPlanTable {
  id: GeneratedAlways<number>
  title: string
  reason: Generated<string>
  state: number
  user_id: number
  created_by: string
  key_name: Generated<string>
  origin: PlanOrigin
  creates: number
  updates: number
  deletes: number
  changes: Json<Sealed | ConfigChange[]>
  decided_by: Generated<string>
  decided_at: Date | null
  decision: Generated<string>
  rev: Generated<number>
  created_at: Date
}
