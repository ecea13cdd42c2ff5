/** Newest values that were acknowledged but not written when a server died, taken from the journal. */
import type pg from 'pg'

/** A server that is alive moves its mark each second. */
const deadAfterMs = 60_000

const repair = `
  with newest as (
    select distinct on (device_id, key) device_id, key, value, time
    from (
      select device_id, at, seq, case when device_time > 0 then device_time else at end as time, content::jsonb as content
      from journal where at >= $1 and adds and kind = 3
    ) told, jsonb_each(content)
    order by device_id, key, time desc, at desc, seq desc
  ), rows as (
    select device_id, jsonb_object_agg(key, jsonb_build_array(value, time)) as properties
    from newest join device using (device_id) group by device_id
  )
  insert into device_latest as old (device_id, properties, flushed_at)
  select device_id, properties, $2 from rows order by device_id
  on conflict (device_id) do update set flushed_at = excluded.flushed_at, properties = (
    select jsonb_object_agg(key, case
      when new.value is null or (old_pair.value ->> 1)::bigint > (new.value ->> 1)::bigint then old_pair.value
      else new.value end)
    from jsonb_each(old.properties) old_pair full join jsonb_each(excluded.properties) new using (key)
  )`

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
