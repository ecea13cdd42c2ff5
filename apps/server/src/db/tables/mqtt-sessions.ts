import type { Generated } from 'kysely'

export interface MqttSessionTable {
  device_id: number
  epoch: number
  server_id: string | null
  seen_at: Generated<Date>
}

export interface MqttFilterTable {
  device_id: number
  filter: string
  qos: number
  owner: string
}

export interface MqttMessageTable {
  device_id: number
  id: Generated<number>
  topic: string
  payload: Buffer
  is_sent: boolean
}
