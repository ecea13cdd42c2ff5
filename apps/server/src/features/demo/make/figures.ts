/** Figures of the large screen for the days before: as they would have been counted minute by minute. */
import { sql } from 'kysely'
import { dayMs, type Loading } from '../demo-kit.ts'
import type { MadeDevice } from './devices.ts'

const minuteMs = 60_000
const pastDays = 8
/** Messages a minute of each device that is connected. */
const perDevice = 2.4

export async function makeFigures({ kit, now }: Loading, devices: MadeDevice[]): Promise<void> {
  const until = now - (now % minuteMs)
  const from = until - pastDays * dayMs
  const total = devices.length
  const inactive = devices.filter(({ planned: { state } }) => state === 'new').length
  const live = devices.filter(({ planned: { state } }) => state === 'live').length
  await kit.db.transaction().execute(async (db) => {
    await db.updateTable('demo').set({ from_at: from }).execute()
    await sql`insert into demo_sample select * from home_sample where at >= ${from} on conflict do nothing`.execute(db)
    await sql`insert into demo_message select * from home_message where at >= ${from} on conflict do nothing`.execute(
      db,
    )
    await db.deleteFrom('home_sample').where('at', '>=', from).execute()
    await db.deleteFrom('home_message').where('at', '>=', from).where('at', '<', until).execute()
    // Up to the next minute: the fleet is not connected all at once, and a curve that ends at nothing would tell of a fault.
    // By day a few more are there than at night, and now and then a link is lost for a while.
    await sql`
      insert into home_sample (at, total, online, offline, inactive)
      select at, ${total}::bigint, online, ${total - inactive}::bigint - online, ${inactive}::bigint
      from generate_series(${from}::bigint, ${until + minuteMs}::bigint, ${minuteMs}::bigint) at
      cross join lateral (
        select greatest(0, ${live}::bigint - 2 - round(3 + 3 * cos(at / 86400000.0 * 2 * pi() - 1.4))::bigint
          - case when at / 3600000 % 53 = 0 then 11 when at / 600000 % 37 = 0 then 4 else 0 end
          - at / 60000 % 7 / 5) as online
      ) counted
      on conflict (at) do nothing`.execute(db)
    await sql`
      insert into home_message (at, messages)
      select at, round(online * ${perDevice}::float8
        * (1 + 0.18 * sin(at / 86400000.0 * 2 * pi() + 2.2) + 0.05 * sin(at / 420000.0)))::bigint
      from home_sample where at >= ${from} and at < ${until}
      on conflict (at) do nothing`.execute(db)
  })
}
