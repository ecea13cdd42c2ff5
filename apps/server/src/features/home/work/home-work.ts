/**
 * What keeps the figures of the large screen. Every server adds its messages; everything else is done by one server at a
 * time (advisory lock), as often as it is due by what the last one wrote down, whichever server that was.
 */
import { minuteMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import { type HomeWorkName, homeLock } from '#db/home-lock.ts'
import type { Db } from '#db/schema.ts'
import type { HomeDeps } from '../home-deps.ts'
import { countAlarms } from './count-alarms.ts'
import { countMessages } from './count-messages.ts'
import { mapChanges, refreshMap } from './refresh-map.ts'
import { takeSample } from './take-sample.ts'
import { watchAway } from './watch-away.ts'
import { watchSilent } from './watch-silent.ts'
import type { Done } from './whole-fleet.ts'

interface WorkRow {
  name: HomeWorkName
  at: number
  took: number
  seen: number
}

interface Work {
  everyMs: number
  /** Without it always. */
  isNeeded?(db: Db, row: WorkRow, now: number): Promise<boolean>
  run(db: Db, now: number, row: WorkRow): Promise<Done>
}

const tickMs = 3_000
/** Takes at most this part of the time; the first look at a large fleet takes long, the next must not wait for that. */
const share = 20
const longestGapMs = 2 * minuteMs
const quickMs = 50
/** Looked at even when nothing seems to have changed. */
const anywayMs = 10 * minuteMs

const works: Record<HomeWorkName, Work> = {
  map: {
    everyMs: 5_000,
    // PostgreSQL tells its counters seconds later: a small fleet is looked at without asking.
    isNeeded: async (db, row, now) =>
      row.took < quickMs || now - row.at >= anywayMs || (await mapChanges(db)) !== row.seen,
    run: (db) => refreshMap(db),
  },
  away: { everyMs: 15_000, run: (db, now, row) => watchAway(db, now, row.at) },
  silent: { everyMs: minuteMs, run: (db, now) => watchSilent(db, now) },
  alarm: { everyMs: minuteMs, run: (db, now, row) => countAlarms(db, now, row.seen) },
}

const isDue = (row: WorkRow, now: number): boolean => {
  const since = now - row.at
  // A clock that was set back must not keep it from being done.
  return since < 0 || since >= Math.max(works[row.name].everyMs, Math.min(row.took * share, longestGapMs))
}

/** @returns undefined when another server is at it or has just done it */
async function doWork(db: Db, name: HomeWorkName, now: number): Promise<Done | undefined> {
  return db.transaction().execute(async (db) => {
    // Those who hold it change what has been counted (home_alarm_change): later.
    const { rows } = await sql<WorkRow & { free: boolean }>`
      select name, at, took, seen from home_work where name = ${name}
        and pg_try_advisory_xact_lock(${homeLock(name)})
      for update skip locked`.execute(db)
    const [row] = rows
    const work = works[name]
    if (!row || !isDue(row, now)) return undefined
    if (work.isNeeded && !(await work.isNeeded(db, row, now))) return undefined
    // A large fleet is joined whole, and there is one of these at a time.
    await sql`set local work_mem = '64MB'`.execute(db)
    const begun = performance.now()
    const done = await work.run(db, now, row)
    const { seen, found } = done
    const took = Math.round(performance.now() - begun)
    await db.updateTable('home_work').set({ at: now, took, seen, found }).where('name', '=', name).execute()
    return done
  })
}

/** All that is due, one after the other. */
export async function doHomeWork(db: Db, now: number): Promise<Array<Done & { name: HomeWorkName }>> {
  const rows = (await db.selectFrom('home_work').select(['name', 'at', 'took', 'seen']).execute()) as WorkRow[]
  const all: Array<Done & { name: HomeWorkName }> = []
  for (const { name } of rows.filter((row) => isDue(row, now))) {
    const done = await doWork(db, name, now)
    if (done) all.push({ name, ...done })
  }
  return all
}

/** @returns a function that ends it */
export function startHomeWork({ db, clock, bus, background }: HomeDeps): () => Promise<void> {
  const messages = countMessages(bus)
  let sampled = 0
  const counting = background.every({
    name: 'home.count',
    everyMs: tickMs,
    async run() {
      const now = clock.now()
      const minute = now - (now % minuteMs)
      const count = await messages.flush(db, now)
      if (minute !== sampled) await takeSample(db, now)
      sampled = minute
      if (count > 0) bus.emit('home.changed', {})
    },
  })
  // Apart from the counting: a look at a large fleet takes longer than a tick.
  const looking = background.every({
    name: 'home.look',
    everyMs: tickMs,
    async run() {
      const done = await doHomeWork(db, clock.now())
      if (done.some(({ changed }) => changed)) bus.emit('home.changed', {})
    },
  })
  return async () => {
    messages.stop()
    await counting.stop()
    await looking.stop()
    await messages.flush(db, clock.now())
  }
}
