import type { Tag } from '@ithings/contract/wire.ts'
import type { Generated, GeneratedAlways } from 'kysely'
import type { JsonDefault } from '../json-column.ts'
import type { Sealed } from '../sealed-column.ts'

export interface DeviceTable {
  device_id: GeneratedAlways<number>
  product_id: string
  device_name: string
  device_alias: Generated<string>
  secret: Sealed
  old_secret: Generated<Sealed>
  old_secret_until: Generated<number>
  cert: Generated<string>
  imei: Generated<string>
  mac: Generated<string>
  hard_info: Generated<string>
  soft_info: Generated<string>
  version: Generated<string>
  longitude: Generated<number>
  latitude: Generated<number>
  address: Generated<string>
  tags: JsonDefault<Tag[]>
  is_online: Generated<number>
  first_login: Date | null
  last_login: Date | null
  log_level: Generated<number>
  mobile_operator: Generated<number>
  phone: string | null
  iccid: string | null
  is_enable: Generated<number>
  is_simulated: Generated<number>
  made_by: Generated<string>
  rev: Generated<number>
  created_at: Generated<Date>
  status: GeneratedAlways<number>
}

export interface DeviceTallyTable {
  product_id: string
  status: number
  is_enable: number
  is_simulated: number
  version: string
  shard: number
  devices: number
}

/** Words and tags to find devices by; triggers are their only writers. */
export interface DeviceTextTable {
  device_id: number
  product_id: string
  name: string
  alias: string
  name_shape: string
  alias_shape: string
}

export interface DeviceShapeTable {
  field: number
  shape: string
}

export interface DeviceBlockTable {
  block: number
  shard: number
  devices: number
}

/** Devices whose names are not before this one and before the next. */
export interface DeviceNameFenceTable {
  name: string
  shard: number
  devices: number
}

/** Registrations that created a device, so that none does it twice. */
export interface RegistrationUsedTable {
  request: string
  expires_at: Date
}

export interface DeviceTagTable {
  key: string
  value: string
  device_id: number
}

export interface GatewayDeviceTable {
  gateway_id: number
  device_id: number
  bound_at: Generated<Date>
}
