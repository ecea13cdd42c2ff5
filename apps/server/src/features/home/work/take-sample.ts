import { minuteMs } from '@ithings/contract/durations.ts'
import { DeviceStatus } from '@ithings/contract/features/devices/info.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

/** Devices by state at this minute, once, whichever server comes first. */
export async function takeSample(db: Db, now: number): Promise<void> {
  const of = (status: number) => sql`coalesce(sum(devices) filter (where status = ${sql.lit(status)}), 0)`
  await sql`
    insert into home_sample (at, total, online, offline, inactive)
    select ${now - (now % minuteMs)}::bigint, coalesce(sum(devices), 0), ${of(DeviceStatus.online)},
      ${of(DeviceStatus.offline)}, ${of(DeviceStatus.inactive)}
    from device_tally
    on conflict (at) do nothing`.execute(db)
}
