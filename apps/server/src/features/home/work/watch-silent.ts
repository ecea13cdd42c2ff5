import { DeviceStatus } from '@ithings/contract/features/devices/info.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Done } from './whole-fleet.ts'

/** Online and without a message for so long needs attention. */
const silentAfterMs = 30 * 60_000
/** Nobody looks at more of them; the newest are kept. */
const mostSilent = 10_000

/**
 * Newest values tell of most devices when they spoke last, without the journal; only those that look silent are looked
 * up there, because they may send events or texts instead of values.
 */
export async function watchSilent(db: Db, now: number): Promise<Done> {
  const before = now - silentAfterMs
  const { rows } = await sql<{ found: number }>`
    with quiet as materialized (
      select device.device_id, greatest(floor(extract(epoch from last_login) * 1000)::bigint, coalesce(flushed_at, 0)) as since
      from device left join device_latest using (device_id)
      where status = ${sql.lit(DeviceStatus.online)} and last_login < to_timestamp(${before / 1000})
        and (flushed_at is null or flushed_at < ${before})
      order by since desc limit ${sql.lit(mostSilent)}
    ), silent as materialized (
      select * from quiet where not exists (
        select from journal where journal.device_id = quiet.device_id and journal.at >= ${before}::bigint and up)
    ), gone as (
      delete from home_silent where not exists (select from silent where silent.device_id = home_silent.device_id)
    ), noted as (
      insert into home_silent as old (device_id, since) select device_id, since from silent order by device_id
      on conflict (device_id) do update set since = excluded.since where old.since <> excluded.since
    )
    select count(*) as found from silent`.execute(db)
  return { seen: 0, found: rows[0]?.found ?? 0 }
}
