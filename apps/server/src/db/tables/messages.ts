import type { ServerState } from '@ithings/contract/features/cluster.ts'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json, JsonDefault } from '../json-column.ts'

/** Newest value of a property with its device time in ms. */
export type LatestPair = [value: unknown, time: number]

export interface JournalTable {
  at: number
  seq: number
  device_id: number
  device_time: number
  code: number
  latency: number
  log_days: number
  kind: number
  up: boolean
  adds: boolean
  product_id: string
  topic: string
  method: string
  token: string
  msg: string
  data_id: string
  content: string
  /** The transaction that wrote it; null of rows from before 0042. */
  xid: Generated<string | null>
}

export interface DeviceLatestTable {
  device_id: number
  properties: Json<Record<string, LatestPair>>
  flushed_at: number
  flushed_by: Generated<number>
}

export interface LatestFlushTable {
  node: number
  until_at: number
}

export interface HistoryDayTable {
  device_id: number
  day: number
  count: number
  kind: number
  property: string
  min: number | null
  max: number | null
  sum: number | null
  first: number | null
  last: number | null
  times: number[]
  nums: number[] | null
  vals: JsonDefault<unknown[]>
}

export interface DeviceEventTable {
  device_id: number
  time: number
  event_id: string
  token: string
  product_id: string
  type: string
  params: Json<Record<string, unknown>>
}

export interface PackStateTable {
  id: Generated<number>
  hour: number
  next_device: Generated<number>
  is_cut: Generated<boolean>
  packed_at: Generated<Date>
}

export interface PackPieceTable {
  hour: number
  from_device: number
  until_device: number
}

export interface SdkLogTable {
  id: GeneratedAlways<number>
  device_id: number
  product_id: string
  at: number
  log_level: number
  content: string
}

export interface DeviceGoneTable {
  device_id: number
  product_id: string
  deleted_at: Generated<Date>
}

export interface DeviceShadowTable {
  device_id: number
  property: string
  value: Json<unknown>
  set_at: number
  set_by: Generated<string>
  delivered_at: Generated<number>
}

export interface DeviceCommandTable {
  id: GeneratedAlways<number>
  client_token: string
  device_id: number
  kind: string
  user_name: Generated<string>
  data_id: Generated<string>
  payload: Json<unknown>
  code: Generated<number>
  status: Generated<string>
  reply: JsonDefault<unknown>
  sent_at: number
  done_at: Generated<number>
  latency: Generated<number>
  source: Generated<string>
  via_shadow: Generated<boolean>
}

export interface DeviceSessionTable {
  device_id: number
  server_id: string
  client_id: string
  ip: Generated<string>
  connected_at: number
  epoch: Generated<number>
}

/** What a server tells about itself with each heartbeat; one of an older version tells nothing. */
export interface ServerFacts {
  node: number
  name: string
  version: string
  /** The newest migration that it knows. */
  schema: number
  /** ms, by its own clock. */
  startedAt: number
  state: ServerState
  devices: number
  messageRate: number
  memoryBytes: number
  /** -1: not known, or none arrive. */
  signalLagMs: number
  databaseConnections: number
  /** What all servers of one database must have alike: the setting and its value, without secrets; '': not set. */
  settings: Record<string, string>
}

export interface PlatformServerTable {
  server_id: string
  seen_at: number
  facts: JsonDefault<Partial<ServerFacts>>
  drain: Generated<boolean>
}
