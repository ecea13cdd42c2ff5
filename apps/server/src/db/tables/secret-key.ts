import type { Generated, GeneratedAlways } from 'kysely'

export interface SecretKeyTable {
  id: GeneratedAlways<number>
  mark: string
  swept_at: Date | null
  created_at: Generated<Date>
}
