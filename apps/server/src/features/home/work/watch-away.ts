import { dayMs } from '@ithings/contract/durations.ts'
import { DeviceStatus } from '@ithings/contract/features/devices/info.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { compareAtOnce, type Done } from './whole-fleet.ts'

/** Offline for longer than this needs attention. */
export const longOfflineMs = dayMs

/**
 * Since when devices are offline: found by comparing now and then instead of being written with every disconnect, which
 * must stay cheap when ten thousand leave in a second. A day's threshold does not mind half a minute. Who left while
 * nobody looked (the platform was down) left when somebody looked last, or signed in after that.
 */
export async function watchAway(db: Db, now: number, lookedAt: number): Promise<Done> {
  const offline = sql.lit(DeviceStatus.offline)
  await compareAtOnce(db)
  await sql`
    delete from home_away where not exists (
      select from device where device.device_id = home_away.device_id and status = ${offline})`.execute(db)
  await sql`
    insert into home_away (device_id, since)
    select device_id, least(${now}::bigint,
      greatest(coalesce(floor(extract(epoch from last_login) * 1000)::bigint, 0), ${lookedAt}::bigint))
    from device where status = ${offline}
      and not exists (select from home_away where home_away.device_id = device.device_id)
    on conflict (device_id) do nothing`.execute(db)
  const { rows } = await sql<{ found: number }>`
    select count(*) as found from home_away where since < ${now - longOfflineMs}`.execute(db)
  return { seen: 0, found: rows[0]?.found ?? 0 }
}
