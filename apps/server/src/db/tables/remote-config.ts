import type { Generated, GeneratedAlways } from 'kysely'

export interface RemoteConfigTable {
  id: GeneratedAlways<number>
  product_id: string
  content: string
  note: Generated<string>
  restored_from: Generated<number>
  user_name: Generated<string>
  created_at: Generated<Date>
}

export interface DeviceConfigTable {
  device_id: number
  config_id: number
  delivered_at: number
}
