import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { makeProduct } from '#features/devices/testing/make-devices.ts'
import { openWorld, type World } from '#testing/world.ts'
import { refreshMap } from './refresh-map.ts'
import { watchAway } from './watch-away.ts'

let world: World
beforeAll(async () => {
  // Its own work would fill the tables first.
  world = await openWorld({ config: { databaseUrl: 'given' } })
  await sql`update home_work set at = ${world.clock.now()}, took = 1000000`.execute(world.db)
  const productID = await makeProduct(world)
  await sql`insert into device (product_id, device_name, secret, is_online, first_login, last_login, longitude, latitude)
    select ${productID}, 'pump-' || n, 's', 2, now(), now(), n % 170 + 0.5, n % 80 + 0.5
    from generate_series(1, 400) n`.execute(world.db)
})
afterAll(() => world.close())

/** By this connection: reads of the whole table, rows written. */
async function counted(db: Db, table: string): Promise<{ reads: number; written: number }> {
  const { rows } = await sql<{ reads: number; written: number }>`
    select seq_scan as reads, n_tup_ins as written from pg_stat_xact_user_tables where relname = ${table}`.execute(db)
  return rows[0] ?? { reads: 0, written: 0 }
}

test.each([
  ['home_away', (db: Db) => watchAway(db, world.clock.now(), 0)],
  ['home_cell', (db: Db) => refreshMap(db)],
])('%s that was empty is not read again for every device of a fleet that comes at once', async (table, work) => {
  await sql`truncate ${sql.table(table)}`.execute(world.db)
  await sql`vacuum analyze ${sql.table(table)}`.execute(world.db)
  await world.db.transaction().execute(async (db) => {
    const before = await counted(db, table)
    await work(db)
    const after = await counted(db, table)
    expect(after.written - before.written).toBeGreaterThan(300)
    expect(after.reads - before.reads).toBeLessThan(20)
  })
})

test('a place whose last device went is a change that screens are told of', async () => {
  await refreshMap(world.db)
  expect((await refreshMap(world.db)).changed).toBe(false)
  await sql`delete from device where device_name = 'pump-1'`.execute(world.db)
  expect((await refreshMap(world.db)).changed).toBe(true)
})
