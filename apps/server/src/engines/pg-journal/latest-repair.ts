/** Newest values that were acknowledged but not written when a server died, taken from the journal. */
import type pg from 'pg'

/** A server that is alive moves its mark each second. */
const deadAfterMs = 60_000

/**
 * By the rule of LatestValues.put: of what came without a time the last, of what came with one that of the newest time
 * (`claim`: at most that of its receipt) if nothing newer was stated before; of the two what arrived last.
 */
const repair = `
  with told as (
    select device_id, key, value, at, seq, device_time, least(device_time, at) as claim
    from (
      select device_id, at, seq, device_time, content::jsonb as content
      from journal where at >= $1 and adds and kind = 3
    ) message, jsonb_each(content)
  ), stated as (
    select distinct on (device_id, key) * from told where device_time > 0
    order by device_id, key, claim desc, at desc, seq desc
  ), given as (
    select distinct on (device_id, key) * from told where device_time = 0 order by device_id, key, at desc, seq desc
  ), known as (
    select device_id, pair.key, pair.value as pair, coalesce((pair.value ->> 2)::bigint, 0) as claim,
      coalesce((pair.value ->> 3)::bigint, (pair.value ->> 1)::bigint) as at
    from device_latest, jsonb_each(properties) pair
    where device_id in (select device_id from told)
  ), newest as (
    select device_id, key, case
      when s.claim >= coalesce(k.claim, 0) and (g.at is null or (s.at, s.seq) > (g.at, g.seq))
        then jsonb_build_array(s.value, s.device_time, s.claim, s.at)
      when g.at >= coalesce(k.at, 0)
        then jsonb_build_array(g.value, g.at, greatest(s.claim, k.claim, 0), g.at)
      else k.pair end as pair
    from stated s full join given g using (device_id, key) full join known k using (device_id, key)
  ), rows as (
    select device_id, jsonb_object_agg(key, pair) as properties
    from newest join device using (device_id) where pair is not null group by device_id
  )
  insert into device_latest as old (device_id, properties, flushed_at)
  select device_id, properties, $2 from rows order by device_id
  on conflict (device_id) do update
    set flushed_at = excluded.flushed_at, flushed_by = -1, properties = old.properties || excluded.properties`

/** Whether a server died and nobody started since; then the others do it. */
export async function hasDeadMark(pool: pg.Pool, now: number): Promise<boolean> {
  const { rowCount } = await pool.query('select from latest_flush where until_at < $1 limit 1', [now - deadAfterMs])
  return rowCount === 1
}

export async function repairLatest(pool: pg.Pool, now: number): Promise<void> {
  const { rows } = await pool.query<{ since: number | null }>('select min(until_at) as since from latest_flush')
  const since = rows[0]?.since
  // No mark: every server wrote everything before it stopped.
  if (since === null || since === undefined) return
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    await client.query(repair, [Number(since), now])
    await client.query('delete from latest_flush where until_at < $1', [now - deadAfterMs])
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}
