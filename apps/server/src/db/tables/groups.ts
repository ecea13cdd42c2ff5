import type { Tag } from '@ithings/contract/wire.ts'
import type { Generated } from 'kysely'
import type { JsonDefault } from '../json-column.ts'

export interface DeviceGroupTable {
  group_id: Generated<number>
  parent_id: number
  group_name: string
  product_id: Generated<string>
  description: Generated<string>
  tags: JsonDefault<Tag[]>
  rev: Generated<number>
  created_at: Generated<Date>
}

export interface GroupDeviceTable {
  group_id: number
  device_id: number
  joined_at: Generated<Date>
}

export interface GroupTallyTable {
  group_id: number
  shard: number
  devices: number
  online: number
}

export interface GroupSharedTable {
  device_id: number
  groups: string[]
  online: boolean
}
