/** Events: the packed ones and those that are still in the journal only; a repeated one shows once (decisions.md 4.2). */
import { aheadMs } from '@ithings/contract/durations.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listEventLog as endpoint } from '@ithings/contract/features/history.ts'
import { historyWindow } from '@ithings/contract/paging.ts'
import { toStr } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import { findDevices, findProductModel } from './find-devices.ts'
import type { HistoryDeps } from './history-deps.ts'
import { withinQueryLimit } from './limited-query.ts'

interface EventRow {
  device_id: number
  time: number
  event_id: string
  type: string
  params: Record<string, unknown>
  total: number
}

const latest = Number.MAX_SAFE_INTEGER

export async function listEventLog(deps: HistoryDeps, input: BodyOutput<typeof endpoint>) {
  const { productID, deviceNames, dataID = '', types, timeStart = 0, page } = input
  const { events } = await findProductModel(deps, productID)
  const devices = await findDevices(deps, productID, deviceNames)
  const ids = devices.map((device) => device.deviceID)
  const models = [...events.values()].map(({ event }) => event)
  const timeEnd = input.timeEnd || latest
  const hot = sql`
    select distinct on (device_id, time, event_id, token) device_id, time, event_id, token, type, params from (
      select j.device_id, case when j.device_time > 0 then j.device_time else j.at end as time, j.data_id as event_id,
        j.token, coalesce(model.type, 'info') as type, j.content::jsonb as params, j.at, j.seq
      from journal j
      left join unnest(${models.map((event) => event.identifier)}::text[], ${models.map((event) => event.type)}::text[])
        as model (event_id, type) on model.event_id = j.data_id
      where j.device_id = any(${ids}::bigint[]) and j.adds and j.kind = 4
        and j.at >= greatest(${timeStart - aheadMs}::bigint, (select coalesce(max(hour), 0) * 3600000 from pack_state))
    ) told order by device_id, time, event_id, token, at, seq`
  const found = sql`
    select device_id, time, event_id, type, params, token from device_event
    where device_id = any(${ids}::bigint[]) and time >= ${timeStart} and time < ${timeEnd}
    union all
    select device_id, time, event_id, type, params, token from (${hot}) hot
    where time >= ${timeStart} and time < ${timeEnd} and not exists (
      select from device_event e where e.device_id = hot.device_id and e.time = hot.time and e.event_id = hot.event_id
        and e.token = hot.token)`
  const filtered = sql`
    select * from (${found}) found
    where (${dataID} = '' or event_id = ${dataID})
      and (${!types?.length} or type = any(${types ?? []}::text[]))`
  const { rows, total } = await withinQueryLimit(deps.db, async (db) => {
    const counted = await sql<{ total: number }>`select count(*) as total from (${filtered}) counted`.execute(db)
    const total = counted.rows[0]?.total ?? 0
    const { limit, offset } = historyWindow(page, total)
    const shown = await sql<EventRow>`
      select * from (${filtered}) shown order by time desc, device_id, event_id, token
      limit ${limit} offset ${offset}`.execute(db)
    return { rows: shown.rows, total }
  })
  const names = new Map(devices.map((device) => [device.deviceID, device.deviceName]))
  const list = rows.map((row) => ({
    dataID: row.event_id,
    type: row.type,
    params: JSON.stringify(row.params),
    timestamp: toStr(row.time),
    deviceName: names.get(row.device_id) ?? '',
  }))
  return { list, total }
}
