import type { Generated, GeneratedAlways } from 'kysely'

export interface LoginLogTable {
  id: GeneratedAlways<number>
  user_id: Generated<number>
  user_name: string
  ip_addr: string
  location: string
  browser: string
  os: string
  code: number
  msg: string
  created_at: Date
}

export interface OperationLogTable {
  id: GeneratedAlways<number>
  user_id: number
  user_name: string
  oper_name: string
  business_type: number
  uri: string
  ip_addr: string
  location: string
  req: string
  resp: string
  code: number
  msg: string
  duration_ms: number
  request_id: string
  created_at: Date
  /** Over the hash before it and its own content (migration 0025). */
  hash: Buffer
}

/** One row: what retention took last, and the newest entry. */
export interface OperationLogChainTable {
  one: Generated<boolean>
  anchor_id: Generated<number>
  anchor_hash: Generated<Buffer>
  head_id: Generated<number>
  head_hash: Generated<Buffer>
}
