/** What is over goes: log days drop whole partitions, values by the days of their product, data of deleted devices. */
import { dayMs } from '@ithings/contract/durations.ts'
import type pg from 'pg'
import { readWatermark } from './hot-rows.ts'
import { dropPart, historyBlockDays, listJournalParts } from './partitions.ts'

/** Small transactions: nobody waits long for a row. */
const rowsAtOnce = 5_000
const devicesAtOnce = 50
/** Whatever was on its way when the device was deleted has arrived by then. */
const goneAfterMs = 3 * 60_000

/** A partition goes when its logs are over and everything in it is packed (decisions.md 5). */
export async function dropOldJournal(pool: pg.Pool, now: number): Promise<string[]> {
  const watermark = await readWatermark(pool)
  const dropped: string[] = []
  for (const part of await listJournalParts(pool)) {
    const isOver = part.end + part.logDays * dayMs <= now && part.end <= watermark
    if (isOver && (await dropPart(pool, part.name))) dropped.push(part.name)
  }
  return dropped
}

async function deleteAll(pool: pg.Pool, statement: string, values: unknown[]): Promise<number> {
  let deleted = 0
  for (;;) {
    const { rowCount } = await pool.query(statement, values)
    deleted += rowCount ?? 0
    if ((rowCount ?? 0) < rowsAtOnce) return deleted
  }
}

/** Blocks that are older than what any product keeps. */
async function dropOldBlocks(pool: pg.Pool, today: number): Promise<void> {
  const { rows: kept } = await pool.query<{ days: number | null }>(
    'select max(value_days)::integer as days from product',
  )
  const oldest = today - (kept[0]?.days ?? 0)
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'parts'::regnamespace
     and relname ~ '^history_[0-9]+$' and relkind = 'r'`,
  )
  for (const { name } of kept[0]?.days ? rows : []) {
    const block = Number(name.slice('history_'.length))
    if ((block + 1) * historyBlockDays <= oldest) await dropPart(pool, name)
  }
}

const oldDays = `
  delete from history_day where (device_id, property, kind, day) in (
    select h.device_id, h.property, h.kind, h.day from history_day h
    join device d on d.device_id = h.device_id join product p on p.product_id = d.product_id
    where h.day < $1 - p.value_days and h.day < $1 - (select min(value_days) from product) limit ${rowsAtOnce})`
const oldEvents = `
  delete from device_event where (device_id, time, event_id, token) in (
    select e.device_id, e.time, e.event_id, e.token from device_event e join product p on p.product_id = e.product_id
    where e.time < $1 - p.value_days * 86400000::bigint
      and e.time < $1 - (select min(value_days) from product) * 86400000::bigint limit ${rowsAtOnce})`
const oldSdkLogs = `
  delete from sdk_log where id in (
    select s.id from product p join sdk_log s on s.product_id = p.product_id and s.at < $1 - p.log_days * 86400000::bigint
    limit ${rowsAtOnce})`

/** product.value_days of values and events, product.log_days of the devices' own logs. */
export async function dropOldValues(
  pool: pg.Pool,
  now: number,
): Promise<{ days: number; events: number; logs: number }> {
  const today = Math.floor(now / dayMs)
  await dropOldBlocks(pool, today)
  return {
    days: await deleteAll(pool, oldDays, [today]),
    events: await deleteAll(pool, oldEvents, [now]),
    logs: await deleteAll(pool, oldSdkLogs, [now]),
  }
}

export async function dropDevices(pool: pg.Pool, deviceIDs: number[]): Promise<void> {
  for (const table of ['journal', 'history_day', 'device_event', 'sdk_log', 'device_gone']) {
    await pool.query(`delete from ${table} where device_id = any($1::bigint[])`, [deviceIDs])
  }
}

/** http-api.md 4.2: deleting a device drops its time series and logs. */
export async function dropGoneDevices(pool: pg.Pool, now: number): Promise<number> {
  let dropped = 0
  for (;;) {
    const { rows } = await pool.query<{ device_id: number }>(
      `select device_id from device_gone where deleted_at < to_timestamp($1::float8 / 1000) order by deleted_at limit ${devicesAtOnce}`,
      [now - goneAfterMs],
    )
    if (rows.length === 0) return dropped
    await dropDevices(
      pool,
      rows.map((row) => Number(row.device_id)),
    )
    dropped += rows.length
  }
}
