/**
 * The cells of the map, made from all devices in the background and written where they differ. Not by triggers: those
 * would write some cells with every batch of presence, and a storm of ten thousand devices a second would wait for them
 * (and for each other at the cells of large cities). One pass over a million devices takes a few seconds of one
 * processor, is taken by one server, only when something changed, and for about a twentieth of the time; it
 * also mends whatever was wrong.
 */
import { DeviceStatus } from '@ithings/contract/features/devices/info.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { baseColumns, middleOf } from '../map-grid.ts'
import { nearestCity } from '../nearest-city.ts'
import { compareAtOnce, type Done } from './whole-fleet.ts'

/** How often rows of these tables were written, from the counters that PostgreSQL keeps anyway. */
export async function mapChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint as changes
    from pg_stat_user_tables where relid in ('device'::regclass, 'alarm_record'::regclass)`.execute(db)
  return rows[0]?.changes ?? 0
}

const x = sql`least(floor((longitude + 180) * ${sql.lit(baseColumns)} / 360), ${sql.lit(baseColumns - 1)})::smallint`
const y = sql`least(floor((latitude + 90) * ${sql.lit(baseColumns)} / 360), ${sql.lit(baseColumns / 2 - 1)})::smallint`

async function refreshAlerts(db: Db): Promise<void> {
  await sql`
    with fresh as materialized (
      select device_id, device.product_id, longitude, latitude, max(alarm_record.level)::smallint as level
      from alarm_record join device using (product_id, device_name)
      where deal_state = 2 and (longitude <> 0 or latitude <> 0) group by device_id
    ), gone as (
      delete from home_alert where not exists (select from fresh where fresh.device_id = home_alert.device_id)
    )
    insert into home_alert as old select * from fresh order by device_id
    on conflict (device_id) do update set product_id = excluded.product_id, longitude = excluded.longitude,
      latitude = excluded.latitude, level = excluded.level where old is distinct from excluded`.execute(db)
}

/** @returns whether some were written or removed */
async function refreshCells(db: Db): Promise<boolean> {
  const of = (status: number) => sql`count(*) filter (where status = ${sql.lit(status)})::integer`
  const { rows } = await sql<{ changes: number }>`
    with placed as (
      select product_id, status, longitude, latitude,
        case when longitude = 0 and latitude = 0 then -1::smallint else ${x} end as x,
        case when longitude = 0 and latitude = 0 then -1::smallint else ${y} end as y
      from device
    ), by_product as materialized (
      select product_id, x, y, ${of(DeviceStatus.online)} as online, ${of(DeviceStatus.offline)} as offline,
        ${of(DeviceStatus.inactive)} as inactive, sum(longitude) as longitude, sum(latitude) as latitude
      from placed group by 1, 2, 3
    ), alerts as materialized (
      select product_id, ${x} as x, ${y} as y, max(level) as level from home_alert group by 1, 2, 3
    ), fresh as materialized (
      select c.product_id, x, y, online, offline, inactive, longitude, latitude, coalesce(level, 0)::smallint as level
      from by_product c left join alerts using (product_id, x, y)
      union all
      select '', x, y, online, offline, inactive, longitude, latitude, coalesce(level, 0)::smallint
      from (select x, y, sum(online)::integer as online, sum(offline)::integer as offline,
          sum(inactive)::integer as inactive, sum(longitude) as longitude, sum(latitude) as latitude
        from by_product group by 1, 2) c
      left join (select x, y, max(level) as level from alerts group by 1, 2) a using (x, y)
    ), gone as (
      delete from home_cell where not exists (
        select from fresh where (fresh.product_id, fresh.x, fresh.y) = (home_cell.product_id, home_cell.x, home_cell.y))
      returning 1
    ), written as (
    insert into home_cell as old select fresh.* from fresh
    -- Most are as they were: those are not even tried. Sums depend a little on the order they are added in.
    left join home_cell known using (product_id, x, y)
    where known.x is null or (known.online, known.offline, known.inactive, known.level)
      is distinct from (fresh.online, fresh.offline, fresh.inactive, fresh.level)
      or greatest(abs(known.longitude - fresh.longitude), abs(known.latitude - fresh.latitude))
        > (fresh.online + fresh.offline + fresh.inactive - 1) * 1e-9
    on conflict (product_id, x, y) do update set online = excluded.online, offline = excluded.offline,
      inactive = excluded.inactive, longitude = excluded.longitude, latitude = excluded.latitude, level = excluded.level
    returning 1
    )
    select (select count(*) from written) + (select count(*) from gone) as changes`.execute(db)
  return (rows[0]?.changes ?? 0) > 0
}

/** Cells that have no name yet. */
async function namePlaces(db: Db): Promise<void> {
  const { rows } = await sql<{ x: number; y: number }>`
    select x, y from home_cell where product_id = '' and x >= 0
      and not exists (select from home_place where (home_place.x, home_place.y) = (home_cell.x, home_cell.y))`.execute(
    db,
  )
  if (rows.length === 0) return
  const named = rows.map((cell) => {
    const { longitude, latitude } = middleOf(cell)
    return nearestCity(longitude, latitude)
  })
  await sql`
    insert into home_place (x, y, city)
    select * from unnest(${rows.map((cell) => cell.x)}::smallint[], ${rows.map((cell) => cell.y)}::smallint[],
      ${named}::text[]) on conflict do nothing`.execute(db)
}

/** How many cities have devices: the head of the screen says so. */
async function countCities(db: Db): Promise<number> {
  const { rows } = await sql<{ cities: number }>`
    select count(distinct city) as cities from home_cell join home_place using (x, y)
    where product_id = '' and city <> ''`.execute(db)
  return rows[0]?.cities ?? 0
}

export async function refreshMap(db: Db): Promise<Done> {
  // Before looking: what changes meanwhile is looked at again.
  const seen = await mapChanges(db)
  await refreshAlerts(db)
  await compareAtOnce(db)
  const changed = await refreshCells(db)
  await namePlaces(db)
  return { seen, found: await countCities(db), changed }
}
