import type { OtaTaskInput } from '@ithings/contract/features/ota/task.ts'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json, JsonDefault } from '../json-column.ts'

export interface OtaPlan extends Omit<OtaTaskInput, 'deviceList' | 'filter'> {
  /** The last stage that somebody let pass before its time. */
  released?: number
}
/** Devices of one stage by status. */
export type StatusCounts = Record<string, number>

export interface FirmwareTable {
  firmware_id: GeneratedAlways<number>
  product_id: string
  name: string
  version: string
  module: number
  is_diff: number
  src_version: Generated<string>
  sign_method: string
  description: Generated<string>
  ext_data: Generated<string>
  size: number
  user_name: Generated<string>
  rev: Generated<number>
  created_at: Generated<Date>
  deleted_at: Date | null
}

export interface FirmwareFileTable {
  id: GeneratedAlways<number>
  firmware_id: number
  path: string
  name: string
  size: number
  md5: string
  sha256: string
  ed25519: Generated<string>
}

export interface FirmwareKeyTable {
  product_id: string
  public_key: string
}

export interface DeviceModuleTable {
  device_id: number
  module: number
  name: Generated<string>
  version: string
  reported_at: number
}

export interface OtaTaskTable {
  task_id: GeneratedAlways<number>
  task_uid: string
  firmware_id: number
  product_id: string
  run_id: number | null
  status: Generated<number>
  plan: Json<OtaPlan>
  devices: JsonDefault<string[]>
  stage: Generated<number>
  stage_times: JsonDefault<number[]>
  forced: Generated<number>
  counts: JsonDefault<StatusCounts[]>
  user_name: Generated<string>
  created_at: number
  finished_at: Generated<number>
}
