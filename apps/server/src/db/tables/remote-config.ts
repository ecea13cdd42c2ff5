import type { Generated } from 'kysely'

export interface RemoteConfigTable {
  product_id: string
  /** Counts from 1 for each product. */
  id: number
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
