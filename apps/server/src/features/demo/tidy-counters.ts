/** Counters that are kept by triggers stay as empty rows when their devices go; after the demo these go as well. */
import { sql } from 'kysely'
import { homeLock } from '#db/home-lock.ts'
import type { Db } from '#db/schema.ts'

const tries = 5

/** Shapes of names that nobody has. */
async function forgetShapes(db: Db): Promise<void> {
  await sql`
    delete from device_shape where field = 1
      and not exists (select from device_text where name_shape = device_shape.shape)`.execute(db)
  await sql`
    delete from device_shape where field = 2
      and not exists (select from device_text where alias_shape = device_shape.shape)`.execute(db)
}

/**
 * Shards of one key become one row. The locks, in the order in which triggers write, wait for writers that have counted
 * already and hold back others for a moment (0007_device_search.sql, 0010_device_names.sql).
 */
async function tidyDevices(pool: Db): Promise<void> {
  await pool.transaction().execute(async (db) => {
    await sql`set local lock_timeout = '2s'`.execute(db)
    await sql`lock table device_text, device_block, device_name_fence in share row exclusive mode`.execute(db)
    await forgetShapes(db)
    await sql`
      delete from device_block where block in (select block from device_block group by block having sum(devices) = 0)
    `.execute(db)
    await sql`
      with merged as (
        delete from device_name_fence
        where name in (select name from device_name_fence group by name having count(*) > 1) returning name, devices
      )
      insert into device_name_fence (name, shard, devices)
      select name, -1, sum(devices) from merged group by name`.execute(db)
    await sql`update device_name_fence set shard = 0 where shard = -1`.execute(db)
  })
}

async function dropEmptyFigures(pool: Db): Promise<void> {
  await pool.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${homeLock('map')})`.execute(db)
    await sql`delete from home_alarm where alarms = 0`.execute(db)
    await sql`
      delete from home_cell all_of where product_id = '' and not exists (
        select from home_cell one where one.product_id <> '' and one.x = all_of.x and one.y = all_of.y)`.execute(db)
    await sql`
      delete from home_place where not exists (
        select from home_cell where home_cell.x = home_place.x and home_cell.y = home_place.y)`.execute(db)
  })
}

export async function tidyCounters(db: Db): Promise<void> {
  await dropEmptyFigures(db)
  for (let left = tries; left > 0; left--) {
    try {
      return await tidyDevices(db)
    } catch (error) {
      // Busy writers: their counters are right, merely spread.
      if ((error as { code?: string }).code !== '55P03' || left === 1) throw error
    }
  }
}
