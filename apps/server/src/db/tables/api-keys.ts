import type { Generated } from 'kysely'

export interface ApiKeyTable {
  id: Generated<number>
  name: string
  hash: Buffer
  hint: string
  /** Of a person's own key. */
  user_id: number | null
  /** Of a service account. */
  role_id: number | null
  apis: string[]
  product_id: string
  /** 0: none. */
  group_id: number
  addresses: string[]
  per_minute: number
  expires_at: Date | null
  created_by: string
  created_at: Generated<Date>
  used_at: Date | null
  used_ip: Generated<string>
  revoked_at: Date | null
  rev: Generated<number>
}
