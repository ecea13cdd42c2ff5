import type { Generated } from 'kysely'

export interface RoleTable {
  id: Generated<number>
  name: string
  remark: Generated<string>
  status: Generated<number>
  built_in: Generated<boolean>
  second_factor: Generated<boolean>
  rev: Generated<number>
  created_at: Generated<Date>
}

export interface RoleMenuTable {
  role_id: number
  menu_id: number
}

export interface RoleApiTable {
  role_id: number
  route: string
  method: number
}
