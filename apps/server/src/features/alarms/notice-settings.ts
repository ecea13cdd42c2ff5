/** Settings of the alarm `a` in statements; rows may lack any (alarm-wire.ts). */
import { sql } from 'kysely'

const milliseconds = (name: string, unitMs: number) =>
  sql<number>`coalesce((a.notify ->> ${sql.lit(name)})::bigint, 0) * ${sql.lit(unitMs)}`

export const noticeSettings = {
  tells: sql<boolean>`coalesce(jsonb_array_length(a.notify -> 'channelIDs'), 0) > 0`,
  renotifyMs: milliseconds('renotifyMinutes', 60_000),
  flapMs: milliseconds('flapSeconds', 1_000),
  slaMs: milliseconds('slaMinutes', 60_000),
}
