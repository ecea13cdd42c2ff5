/** Everything but trends, map and attention: counters and short index reads, all at once. */
import type { HomeSummary } from '@ithings/contract/features/home.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { DashboardKit } from './dashboard-kit.ts'
import { readAlarms } from './read-alarms.ts'
import { readMessages } from './read-messages.ts'
import { readRunning } from './read-running.ts'
import { readChange, readTotals } from './read-totals.ts'

/** Enabled scenes; cities are counted with the map. */
async function readHead(db: Db): Promise<{ scenes: number; cities: number }> {
  const { rows } = await sql<{ scenes: number; cities: number }>`
    select (select count(*) from scene where status = 1) as scenes,
      (select found from home_work where name = 'map') as cities`.execute(db)
  return rows[0] ?? { scenes: 0, cities: 0 }
}

export async function readSummary({ db, clock }: DashboardKit): Promise<HomeSummary> {
  const now = clock.now()
  const [totals, head, messages, alarms, running] = await Promise.all([
    readTotals(db),
    readHead(db),
    readMessages(db, now),
    readAlarms(db, now),
    readRunning(db, now),
  ])
  const change = await readChange(db, now, totals.totals)
  return { at: now, ...totals, ...head, change, messages, alarms, running }
}
