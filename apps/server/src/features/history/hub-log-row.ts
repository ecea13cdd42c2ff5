/** A row of the journal as the hub log shows it. */
import type { HubLogRow } from '@ithings/contract/features/history.ts'
import { toStr } from '@ithings/contract/wire.ts'
import { type RawBuilder, sql } from 'kysely'
import { traceIDOf } from '#ports/journal.ts'
import { fullTopic } from '#ports/journal-topic.ts'
import { actionName } from './hub-log-filter.ts'

export interface JournalRow {
  at: number
  seq: number
  device_id: number
  device_time: number
  code: number
  latency: number
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
  device_name: string
}

/** Columns of a query over `journal j`; the name of the device is looked up for the rows that are shown only. */
export const journalColumns: RawBuilder<JournalRow> = sql`
  j.at, j.seq, j.device_id, j.device_time, j.code, j.latency, j.kind, j.up, j.adds, j.product_id, j.topic, j.method,
  j.token, j.msg, j.data_id, j.content,
  coalesce((select d.device_name from device d where d.device_id = j.device_id), '') as device_name`

export function toHubLogRow(row: JournalRow): HubLogRow {
  const owner = { kind: row.kind, up: row.up, productID: row.product_id, deviceName: row.device_name }
  return {
    timestamp: toStr(row.at),
    action: actionName(row.kind),
    requestID: row.token,
    tranceID: traceIDOf(row),
    topic: fullTopic(row.topic, owner),
    content: row.content,
    resultType: toStr(row.code),
    productID: row.product_id,
    deviceName: row.device_name,
    way: row.up ? 'up' : 'down',
    method: row.method,
    msg: row.msg,
    latency: row.latency / 1000,
  }
}
