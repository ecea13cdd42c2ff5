/** Kept counts of alarms against the log itself, whatever clocks, servers and crashes do. */
import { dayMs, minuteMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWorld, type World } from '#testing/world.ts'
import { alarmCounts } from './alarm-counts.ts'
import { alarmStepMs } from './home-times.ts'
import { addAlarm, addLog } from './testing/home-room.ts'
import { countAlarms } from './work/count-alarms.ts'

let world: World
let record = 0
beforeAll(async () => {
  world = await openWorld({ config: { databaseUrl: 'given' } })
  // This test counts by itself; the server's own turn would move the mark in between.
  await sql`update home_work set at = ${world.clock.now()}, took = 1000000 where name = 'alarm'`.execute(world.db)
})
afterAll(() => world.close())

beforeEach(async () => {
  await world.db.deleteFrom('alarm').execute()
  await world.db.deleteFrom('home_alarm').execute()
  await setMark(0)
  record = await addAlarm(world, { level: 3, productID: 'P1', deviceName: 'pump' })
})

const setMark = (seen: number) => world.db.updateTable('home_work').set({ seen }).where('name', '=', 'alarm').execute()

/** As the server does it, but now: in one transaction with the mark. @returns the mark */
async function count(now = world.clock.now()): Promise<number> {
  return world.db.transaction().execute(async (db) => {
    const row = await db
      .selectFrom('home_work')
      .select('seen')
      .where('name', '=', 'alarm')
      .forUpdate()
      .executeTakeFirstOrThrow()
    const { seen } = await countAlarms(db, now, row.seen)
    await db.updateTable('home_work').set({ seen }).where('name', '=', 'alarm').execute()
    return seen
  })
}

async function expectTrue(total: number) {
  const from = world.clock.now() - 8 * dayMs
  const { rows } = await sql<{ at: number; level: number; alarms: number }>`
    select created_at / ${sql.lit(alarmStepMs)} * ${sql.lit(alarmStepMs)} as at, level, count(*)::integer as alarms
    from alarm_log where created_at >= ${from} group by 1, 2`.execute(world.db)
  const sums = new Map<string, number>()
  for (const { at, level, alarms } of await alarmCounts(world.db, from)) {
    sums.set(`${at}/${level}`, (sums.get(`${at}/${level}`) ?? 0) + alarms)
  }
  expect(Object.fromEntries(sums)).toEqual(
    Object.fromEntries(rows.map((row) => [`${row.at}/${row.level}`, row.alarms])),
  )
  expect([...sums.values()].reduce((a, b) => a + b, 0)).toBe(total)
}

const log = (before: number, level = 3) => addLog(world, record, { level, at: world.clock.now() - before })

test('counted, not yet counted, late and deleted entries add up to the log', async () => {
  for (const before of [0, minuteMs, 10 * minuteMs, 3 * dayMs]) await log(before)
  await expectTrue(4)
  await count()
  await count()
  await expectTrue(4)
  await log(5 * dayMs, 1)
  await log(0, 5)
  await expectTrue(6)
  await world.db.deleteFrom('alarm_log').where('level', '=', 1).execute()
  await expectTrue(5)
  await sql`delete from alarm_log where created_at < ${world.clock.now() - dayMs}`.execute(world.db)
  await expectTrue(4)
})

test('entries behind the mark are counted when the clock was set back by an hour', async () => {
  await setMark(Math.ceil((world.clock.now() + 60 * minuteMs) / alarmStepMs) * alarmStepMs)
  await log(0)
  await log(0, 5)
  await expectTrue(2)
  await count()
  await expectTrue(2)
})

test('a server whose clock is ahead does not move the mark in front of entries of others', async () => {
  const mark = await count(world.clock.now() + 30 * minuteMs)
  expect(mark).toBeLessThan(world.clock.now() - minuteMs)
  await log(0)
  await expectTrue(1)
})

test('a count that dies before its commit leaves nothing behind', async () => {
  await log(20 * minuteMs)
  const dying = world.db.transaction().execute(async (db) => {
    await countAlarms(db, world.clock.now(), 0)
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)
  })
  await expect(dying).rejects.toThrow()
  await expectTrue(1)
  await count()
  await expectTrue(1)
})

test('an entry that is written while others count is counted once', async () => {
  const at = world.clock.now() - 30 * minuteMs
  let counting: Promise<number> | undefined
  await world.db.transaction().execute(async (db) => {
    await addLog({ ...world, db }, record, { level: 3, at })
    counting = count()
    // It waits for the writer, who holds the mark.
    await expect
      .poll(async () => (await sql`select from pg_locks where not granted`.execute(world.db)).rows.length)
      .toBeGreaterThan(0)
  })
  await counting
  await expectTrue(1)
})
