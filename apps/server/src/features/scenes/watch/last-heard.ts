/**
 * When devices were heard last, as the database knows it, whichever server heard them. Properties are in device_latest;
 * events are looked for only after them, where few rows lie: in device_event, and in the journal what is not packed yet.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { JournalKind } from '#ports/journal.ts'
import type { ServerShare } from './server-share.ts'

export interface HeardQuestion {
  productID: string
  /** '': anything, events too. */
  dataID: string
  /** undefined: not only devices that are named. */
  names: ReadonlySet<string> | undefined
}

export interface HeardDevice {
  deviceID: number
  deviceName: string
  at: number
}

interface Row {
  device_id: number
  device_name: string
  heard_at: number | null
}

const event = sql`greatest(
  (select time from device_event e where e.device_id = device.device_id order by time desc limit 1),
  (select max(at) from journal j where j.device_id = device.device_id and j.kind = ${sql.lit(JournalKind.event)} and j.adds
    and j.at >= greatest(latest.flushed_at, (select coalesce(max(hour), 0) * 3600000 from pack_state))))`

/** Of one property its own time, of any when it was written. */
const property = (dataID: string): RawBuilder<unknown> =>
  dataID === '' ? sql`latest.flushed_at` : sql`(latest.properties -> ${dataID}::text ->> 1)::bigint`

const toHeard = (row: Row): HeardDevice[] =>
  row.heard_at === null ? [] : [{ deviceID: row.device_id, deviceName: row.device_name, at: row.heard_at }]

/** Of these devices; who is deleted, or never said anything, is left out. */
export async function readHeard(db: Db, { dataID }: HeardQuestion, ids: number[]): Promise<Map<number, number>> {
  const heardAt = dataID === '' ? sql`greatest(latest.flushed_at, ${event})` : property(dataID)
  const { rows } = await sql<Row>`
    select device_id, device_name, ${heardAt} as heard_at
    from device left join device_latest latest using (device_id)
    where device_id = any (${ids}::bigint[])`.execute(db)
  return new Map(rows.flatMap(toHeard).map(({ deviceID, at }) => [deviceID, at]))
}

/**
 * All devices of the question, page by page. Who reported is known by that: later events are found before it matters.
 * @param withEvents also those that only ever sent events
 */
export async function* pagesOfHeard(
  db: Db,
  { productID, dataID, names }: HeardQuestion,
  { withEvents, size, share }: { withEvents: boolean; size: number; share: ServerShare },
): AsyncGenerator<HeardDevice[]> {
  const onlyEvents = withEvents && dataID === ''
  const join = onlyEvents ? sql`left join` : sql`join`
  const heardAt = onlyEvents ? sql`coalesce(latest.flushed_at, ${event})` : property(dataID)
  const which = names ? sql`and device.device_name = any (${[...names]}::text[])` : sql``
  for (let last = 0; ; ) {
    const { rows } = await sql<Row>`
      select device_id, device_name, ${heardAt} as heard_at
      from device ${join} device_latest latest using (device_id)
      where device.product_id = ${productID} and device_id > ${last} ${which}
        and device_id % ${share.servers}::bigint = ${share.place}::bigint
      order by device_id limit ${size}`.execute(db)
    yield rows.flatMap(toHeard)
    last = rows.at(-1)?.device_id ?? 0
    if (rows.length < size) return
  }
}
