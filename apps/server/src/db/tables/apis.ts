import type { Generated } from 'kysely'

export interface ApiTable {
  id: Generated<number>
  route: string
  method: number
  api_group: string
  name: string
  business_type: number
  built_in: Generated<boolean>
  rev: Generated<number>
}
