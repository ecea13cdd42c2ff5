/** The statements of packing: one piece of the devices of one closed hour each. */

/** Only where a product has properties that keep no history (thing-model.md 1 isNoRecord). */
const withoutUnrecorded = `
  and not exists (
    select from unnest($5::text[], $6::text[]) as hidden (product_id, property)
    where hidden.product_id = told.product_id and hidden.property = pair.key)`

/**
 * $1..$2 receive time, $3..$4 devices, $5, $6 properties that are not recorded.
 * The sort of `newest` is what puts the values of an array in order.
 */
export const packValues = (hides: boolean): string => `
  with points as (
    select told.device_id, pair.key collate "C" as property, told.at, told.seq,
      (told.time / 86400000)::integer as day, (told.time % 86400000)::integer as t, pair.value,
      case jsonb_typeof(pair.value) when 'number' then 1 when 'boolean' then 2 else 3 end as kind
    from (
      select device_id, product_id, at, seq, content::jsonb as content,
        case when device_time > 0 then device_time else at end as time
      from journal
      where at >= $1 and at < $2 and device_id >= $3 and device_id < $4 and adds and kind = 3
    ) told, jsonb_each(told.content) pair
    where pair.value <> 'null'::jsonb ${hides ? withoutUnrecorded : ''}
  ), newest as (
    select distinct on (device_id, property, kind, day, t) device_id, property, kind, day, t, value,
      case kind when 1 then value::float8 when 2 then value::boolean::integer::float8 end as n
    from points order by device_id, property, kind, day, t, at desc, seq desc
  ), packs as (
    select device_id, property, kind, day, count(*) as count, min(n), max(n), sum(n),
      array_agg(t) as times, case when kind < 3 then array_agg(n) end as nums,
      coalesce(jsonb_agg(value) filter (where kind = 3), '[]') as vals
    from newest group by device_id, property, kind, day
  )
  insert into history_day as old (device_id, property, kind, day, count, min, max, sum, first, last, times, nums, vals)
  select device_id, property, kind, day, count, min, max, sum, nums[1], nums[count], times, nums, vals
  from packs where exists (select from device where device.device_id = packs.device_id)
  on conflict (device_id, property, kind, day) do update
    set (count, min, max, sum, first, last, times, nums, vals) = (
      select cardinality(m.times), m.stats[1], m.stats[2], m.stats[3], m.stats[4], m.stats[5], m.times, m.nums, m.vals
      from history_merge(
        old.times, old.nums, old.vals, array[old.min, old.max, old.sum, old.first, old.last],
        excluded.times, excluded.nums, excluded.vals,
        array[excluded.min, excluded.max, excluded.sum, excluded.first, excluded.last]) m)`

/** The type of an event is the model's; an event that left the model meanwhile counts as information. */
export const packEvents = `
  insert into device_event (device_id, time, event_id, token, product_id, type, params)
  select j.device_id, case when j.device_time > 0 then j.device_time else j.at end, j.data_id, j.token, j.product_id,
    coalesce(f.definition ->> 'type', 'info'), j.content::jsonb
  from journal j left join product_function f on f.product_id = j.product_id and f.identifier = j.data_id and f.type = 2
  where j.at >= $1 and j.at < $2 and j.device_id >= $3 and j.device_id < $4 and j.adds and j.kind = 4
    and exists (select from device d where d.device_id = j.device_id)
  order by j.at, j.seq
  on conflict do nothing`

/** Cuts the devices of hour $5, from $3 on, so that no piece has many more rows than $4. */
export const cutHour = `
  insert into pack_piece (hour, from_device, until_device)
  select $5, coalesce(lag(until) over cuts, $3), case when lead(until) over cuts is null then ${Number.MAX_SAFE_INTEGER} else until end
  from (
    select max(device_id) + 1 as until from (
      select device_id, (sum(count(*)) over (order by device_id) - 1)::bigint / $4 as piece
      from journal where at >= $1 and at < $2 and device_id >= $3 and adds group by device_id
    ) counted group by piece
  ) ends window cuts as (order by until)`

/** One that nobody else is at. */
export const takePiece = `
  delete from pack_piece where hour = $1 and from_device = (
    select from_device from pack_piece where hour = $1 order by from_device limit 1 for update skip locked)
  returning from_device, until_device`

/** The first hour of $1..$2 (without $2) that has something to pack. */
export const nextBusyHour = `
  select hour from generate_series($1::bigint, $2::bigint - 1) hour
  where exists (select from journal where at >= hour * 3600000 and at < (hour + 1) * 3600000 and adds) limit 1`

export const blocksOfHour = `
  select distinct (case when device_time > 0 then device_time else at end / 86400000 / 30)::integer as block
  from journal where at >= $1 and at < $2 and adds and kind = 3`
