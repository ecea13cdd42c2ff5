/** Everything but trends, map and attention: counters and short index reads, all at once. */

import { minuteMs } from '@ithings/contract/durations.ts'
import type { HomeSummary } from '@ithings/contract/features/home.ts'
import { dayStart } from '@ithings/contract/zone-days.ts'
import { sql } from 'kysely'
import { readDayZone } from '#db/day-zone.ts'
import type { Db } from '#db/schema.ts'
import type { HomeDeps } from './home-deps.ts'
import { emptyDays, readAlarms } from './read-alarms.ts'
import { readRunning, runKinds } from './read-running.ts'
import { readChange, readTotals } from './read-totals.ts'
import { visiblePartsOf } from './visible-parts.ts'

/** Since midnight, and the rate of the last sixty seconds: this minute, and of the one before the part that lies within them. */
async function readMessages(db: Db, now: number, midnight: number): Promise<{ perSecond: number; today: number }> {
  const minute = now - (now % minuteMs)
  const { rows } = await sql<{ today: number; current: number; last: number }>`
    select coalesce(sum(messages) filter (where at >= ${midnight}), 0)::bigint as today,
      coalesce(sum(messages) filter (where at = ${minute}), 0)::bigint as current,
      coalesce(sum(messages) filter (where at = ${minute - minuteMs}), 0)::bigint as last
    from home_message
    where at >= ${Math.min(midnight, minute - minuteMs)} and at <= ${minute}`.execute(db)
  const { today = 0, current = 0, last = 0 } = rows[0] ?? {}
  const recent = current + last * (1 - (now - minute) / minuteMs)
  return { perSecond: Math.round((recent / 60) * 100) / 100, today }
}

/** Enabled scenes; cities are counted with the map. */
async function readHead(db: Db): Promise<{ scenes: number; cities: number }> {
  const { rows } = await sql<{ scenes: number; cities: number }>`
    select (select count(*) from scene where status = 1) as scenes,
      (select found from home_work where name = 'map') as cities`.execute(db)
  return rows[0] ?? { scenes: 0, cities: 0 }
}

const nothing = { total: 0, online: 0, offline: 0, inactive: 0 }
const noDevices = { totals: nothing, change: null, byType: { device: 0, gateway: 0, subset: 0 } }
const noAlarms = { open: [0, 0, 0, 0, 0], today: 0, handledToday: 0, latest: [], top: [] }

async function readFleet(db: Db, now: number) {
  const fleet = await readTotals(db)
  return { ...fleet, change: await readChange(db, now, fleet.totals) }
}

export async function readSummary(deps: HomeDeps, role: number): Promise<HomeSummary> {
  const { db, clock } = deps
  const now = clock.now()
  const [{ sees, hidden }, timeZone] = await Promise.all([visiblePartsOf(deps, role), readDayZone(db)])
  const [{ products, byProduct, ...devices }, head, messages, alarms, running] = await Promise.all([
    readFleet(db, now),
    readHead(db),
    sees('device') ? readMessages(db, now, dayStart(now, timeZone)) : { perSecond: 0, today: 0 },
    sees('alarm') ? readAlarms(db, now, timeZone) : { ...noAlarms, days: emptyDays(now, timeZone) },
    readRunning(
      db,
      now,
      runKinds.filter((kind) => sees(kind)),
    ),
  ])
  return {
    at: now,
    timeZone,
    products: sees('product') ? products : 0,
    scenes: sees('scene') ? head.scenes : 0,
    cities: sees('device') ? head.cities : 0,
    ...(sees('device') ? devices : noDevices),
    byProduct: sees('device', 'product') ? byProduct : [],
    messages,
    alarms,
    running,
    hidden,
  }
}
