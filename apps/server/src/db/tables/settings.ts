import type { Generated } from 'kysely'

export interface SettingTable {
  id: number
  title: string
  logo: string
  login_log_days: number
  operation_log_days: number
  time_zone: Generated<string>
  rev: Generated<number>
}
