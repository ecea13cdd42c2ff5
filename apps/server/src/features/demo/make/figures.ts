/** Figures of the large screen for the days before: as they would have been counted minute by minute. */
import { setTimeout as rest } from 'node:timers/promises'
import { dayMs, hourMs, minuteMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import type { Loading } from '../demo-deps.ts'
import { demoTurnMs } from '../fleet/demo-curve.ts'
import type { MadeDevice } from './devices.ts'

const pastDays = 8
/** At most so long until all of them are there, and until what they said is counted (features/home/work). */
const mostWaitMs = 10_000
const lookMs = 200
const countedMs = 4_000

/**
 * The past ends where the present begins, whatever time of the day it is: all waves and faults are counted back from now
 * and have faded when it comes. Half a day ago a few fewer were there and said less; now and then a link was lost.
 */
export async function makeFigures({ deps }: Loading, devices: MadeDevice[]): Promise<void> {
  // Loading takes a while: what it took is filled as well.
  const until = deps.clock.now() - (deps.clock.now() % minuteMs)
  const from = until - pastDays * dayMs
  const total = devices.length
  const count = (state: string) => devices.filter(({ planned }) => planned.state === state).length
  const [inactive, live] = [count('new'), count('live')]
  // Before they left they were online.
  const left = devices
    .filter(({ planned }) => planned.state === 'away')
    .map(({ planned }) => planned.awayHours * hourMs)
  await deps.db.transaction().execute(async (db) => {
    await db.updateTable('demo').set({ from_at: from }).execute()
    await sql`insert into demo_sample select * from home_sample where at >= ${from} on conflict do nothing`.execute(db)
    await sql`insert into demo_message select * from home_message where at >= ${from} on conflict do nothing`.execute(
      db,
    )
    await db.deleteFrom('home_sample').where('at', '>=', from).execute()
    await db.deleteFrom('home_message').where('at', '>=', from).where('at', '<', until).execute()
    // Up to the next minute: the fleet is not connected all at once, and a curve that ends at nothing would tell of a fault.
    await sql`
      insert into home_sample (at, total, online, offline, inactive)
      select at, ${total}::bigint, online, ${total - inactive}::bigint - online, ${inactive}::bigint
      from generate_series(${from}::bigint, ${until + minuteMs}::bigint, ${minuteMs}::bigint) at
      cross join lateral (select greatest(${until}::bigint - at, 0) as ago) since
      cross join lateral (
        select ${live}::bigint + (select count(*) from unnest(${left}::bigint[]) gone where ago > gone)
          - round(3 - 3 * cos(ago / 86400000.0 * 2 * pi()))::bigint
          - case when ago < 7200000 then 0
              when ago between 81000000 and 93600000 then 3
              when at / 3600000 % 53 = 0 then 11
              when at / 600000 % 37 = 0 then 4
              else at / 60000 % 7 / 5 end as online
      ) counted
      on conflict (at) do nothing`.execute(db)
    await sql`
      insert into home_message (at, messages)
      select at, round(${minuteMs / demoTurnMs / live}::float8 * online * (1 - 0.12 * sin(ago / 86400000.0 * 2 * pi())
        + 0.03 * sin(at / 420000.0) * least(ago / 7200000.0, 1)))::bigint
      from home_sample cross join lateral (select ${until}::bigint - at as ago) since
      where at >= ${from} and at < ${until}
      on conflict (at) do nothing`.execute(db)
  })
}

/** What all of them say when they come at the same moment is no part of their rate. */
export async function settleFigures({ deps: { db, clock } }: Loading, deviceIDs: number[]): Promise<void> {
  const missing = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from device where device_id = any(${deviceIDs}::bigint[]) and status <> 1`.execute(
      db,
    )
    return rows[0]?.n ?? 0
  }
  for (let waited = 0; waited < mostWaitMs && (await missing()) > 0; waited += lookMs) await rest(lookMs)
  await rest(countedMs)
  const now = clock.now()
  await sql`
    update home_message set messages = round(least(${now} - at, ${minuteMs}) / ${demoTurnMs}::float8)
    where at >= (select from_at + ${pastDays * dayMs} from demo) and at <= ${now}`.execute(db)
}
