/** Rows of sessions are locked in the order of their devices, so that two servers do not wait for each other. */

/** $1 devices, $2 numbers of their connections, if they have some. */
export const endSessions = `
  with asked as materialized (
    select mqtt_session.device_id from unnest($1::bigint[], $2::bigint[]) as asked (device_id, epoch)
    join mqtt_session using (device_id) where asked.epoch is null or mqtt_session.epoch <= asked.epoch
    order by mqtt_session.device_id for update of mqtt_session
  )
  delete from mqtt_session using asked where mqtt_session.device_id = asked.device_id`

/** The same and $3 this server. Who is missing in the answer has a newer connection, or is gone. */
export const openSessions = `
  insert into mqtt_session (device_id, epoch, server_id)
  select device_id, coalesce(epoch, nextval('device_session_epoch')), $3::text
  from unnest($1::bigint[], $2::bigint[]) as asked (device_id, epoch) join device using (device_id)
  where not exists (
    select from device_session where device_session.device_id = asked.device_id and device_session.epoch > asked.epoch)
  order by device_id
  on conflict (device_id) do update set epoch = excluded.epoch, server_id = excluded.server_id, seen_at = now()
  where mqtt_session.epoch <= excluded.epoch
  returning device_id, epoch, xmax = 0 as fresh`

/**
 * After the statement above: what others queued until then is seen by this one, and what they queue later finds the
 * server of the session in its row. A row without a filter: messages wait.
 */
export const readSessions = `
  select device_id, filter, qos from mqtt_filter where device_id = any ($1::bigint[])
  union all
  select device_id, null, null from unnest($1::bigint[]) as asked (device_id)
  where exists (select from mqtt_message where mqtt_message.device_id = asked.device_id)`

/** $1 devices, $2 numbers of their connections, $3 filters, $4 QoS, $5 owners. */
export const addFilters = `
  with told as materialized (
    select device_id, epoch, filter, qos, owner, ord
    from unnest($1::bigint[], $2::bigint[], $3::text[], $4::smallint[], $5::text[])
      with ordinality as told (device_id, epoch, filter, qos, owner, ord)
  ), held as materialized (
    select device_id, epoch from mqtt_session where (device_id, epoch) in (select device_id, epoch from told)
    order by device_id for key share
  )
  insert into mqtt_filter (device_id, filter, qos, owner)
  select distinct on (device_id, filter) device_id, filter, qos, owner from told join held using (device_id, epoch)
  order by device_id, filter, ord desc
  on conflict (device_id, filter) do update set qos = excluded.qos where mqtt_filter.qos <> excluded.qos`

export const removeFilters = `
  delete from mqtt_filter using unnest($1::bigint[], $2::bigint[], $3::text[]) as told (device_id, epoch, filter),
    mqtt_session
  where mqtt_filter.device_id = told.device_id and mqtt_filter.filter = told.filter
    and mqtt_session.device_id = told.device_id and mqtt_session.epoch = told.epoch`

/** `off`: after a crash of the database the message may come once more, or that of the last half second not again. */
const commits = `(%::text is null or set_config('synchronous_commit', %, true) <> '')`
const commitsBy = (parameter: string) => commits.replaceAll('%', parameter)

/**
 * $1 devices, $2 numbers of the connections that send it now (null: none does), $3 topics, $4 payloads, $5 the most for
 * one device, $6 how it commits. The oldest go. The lock holds back a server that the device connects to: it reads
 * after this, or this finds its name in the row.
 */
export const addMessages = `
  with told as materialized (
    select ord, device_id, epoch, topic, payload, nextval('mqtt_message_id') as id
    from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bytea[])
      with ordinality as told (device_id, epoch, topic, payload, ord)
    where ${commitsBy('$6')}
  ), session as materialized (
    select device_id, epoch, server_id from mqtt_session where device_id in (select device_id from told)
    order by device_id for share
  ), put as (
    insert into mqtt_message (device_id, id, topic, payload, is_sent)
    select device_id, id, topic, payload, told.epoch is not distinct from session.epoch
    from told join session using (device_id)
  ), gone as (
    delete from mqtt_message using (
      select device_id, (
        select id from mqtt_message where mqtt_message.device_id = more.device_id
        order by id desc offset greatest($5::integer - more.count, 0) limit 1) as last
      from (select device_id, count(*) from told group by device_id) as more
    ) as old
    where mqtt_message.device_id = old.device_id and mqtt_message.id <= old.last
    returning 1
  )
  select ord, id, device_id, server_id, told.epoch is not distinct from session.epoch as own,
    (select count(*) from gone) as dropped
  from told join session using (device_id)`

/** $1 devices, $2 numbers of their connections, $3 behind which message (null: those never sent), $4 how many of each. */
export const takeMessages = `
  with asked as materialized (
    select ord, device_id, after
    from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as asked (device_id, epoch, after, ord)
    join mqtt_session using (device_id, epoch)
  ), next as materialized (
    select ord, message.* from asked cross join lateral (
      select device_id, id, topic, payload, is_sent from mqtt_message
      where mqtt_message.device_id = asked.device_id and (id > after or after is null and not is_sent)
      order by id limit $4) as message
  ), marked as (
    update mqtt_message set is_sent = true from next
    where mqtt_message.device_id = next.device_id and mqtt_message.id = next.id and not next.is_sent
  )
  select ord, id, topic, payload, is_sent as dup from next order by ord, id`

/** $1 devices, $2 messages, $3 how it commits. */
export const removeMessages = `
  delete from mqtt_message using unnest($1::bigint[], $2::bigint[]) as done (device_id, id)
  where mqtt_message.device_id = done.device_id and mqtt_message.id = done.id and ${commitsBy('$3')}`

/** $1 devices, $2 numbers of the connections that have ended, $3 how it commits. */
export const leaveSessions = `
  update mqtt_session set seen_at = now(), server_id = null from (
    select mqtt_session.device_id from unnest($1::bigint[], $2::bigint[]) as told (device_id, epoch)
    join mqtt_session using (device_id, epoch) where ${commitsBy('$3')}
    order by mqtt_session.device_id for no key update of mqtt_session
  ) as told where mqtt_session.device_id = told.device_id`

/** $1 owners. */
export const readListeners = `
  select owner, filter, device.device_id, product_id, device_name from mqtt_filter join device using (device_id)
  where owner = any ($1::text[]) and qos > 0`

/** $1 this server. */
export const readQueued = `
  select distinct device_id from mqtt_message join mqtt_session using (device_id)
  where server_id = $1 and not is_sent`

/** Sessions of $1 whose messages are counted as they go; those at work elsewhere wait for the next time. */
const sweepSessions = (which: string) => `
  with gone as materialized (
    select device_id from mqtt_session where device_id in (
      select device_id from mqtt_session
      where not exists (select from device_session where device_session.device_id = mqtt_session.device_id) and ${which}
    ) order by device_id for update skip locked
  ), messages as (
    delete from mqtt_message using gone where mqtt_message.device_id = gone.device_id returning 1
  ), sessions as (
    delete from mqtt_session using gone where mqtt_session.device_id = gone.device_id
  )
  select count(*) as dropped from messages`
/** $1: days. */
export const removeExpired = sweepSessions(`seen_at < now() - make_interval(days => $1::integer)`)
/** $1: the most of devices that are away. The longest unseen go. */
export const removeOldest = sweepSessions('true order by seen_at desc offset $1')
/** $1: the most for all devices together. */
export const removeOldestMessages = `
  with gone as (
    delete from mqtt_message where (device_id, id) in (
      select device_id, id from mqtt_message order by id desc offset $1)
    returning 1
  )
  select count(*) as dropped from gone`

export const countAll = `
  select (select count(*) from mqtt_session) as sessions, (select count(*) from mqtt_message) as queued`
