-- What devices say and what is said to them (decisions.md 5): the journal, what is derived from it, commands, presence.
-- Partitions lie in a schema of their own; the server makes them ahead and drops them (engines/pg-journal).
create schema parts;
-- By query, not by to_regclass: that would answer from memory what was so before the lock.
create function part_exists(part text) returns boolean language sql volatile as $$
  select exists (select from pg_class where relname = part and relnamespace = 'parts'::regnamespace)
$$;

-- One message, one row, one commit. It is the hub log and the hot part of the history. Partitioned by days of logs and
-- by day of receipt, so that retention drops whole tables. No foreign keys: this is the hot path.
create table journal (
  -- Receive time, ms; unique together with seq.
  at          bigint not null,
  seq         bigint not null,
  device_id   bigint not null,
  -- ms; 0 when the message carried none.
  device_time bigint not null,
  code        integer not null,
  -- Microseconds.
  latency     integer not null,
  log_days    smallint not null,
  kind        smallint not null,
  up          boolean not null,
  -- Adds values (kind 3) or an event (kind 4) to the history; not set on refusals and repeated messages.
  adds        boolean not null,
  product_id  text not null,
  -- Shortened (engines/pg-journal/short-topic.ts): empty for the usual topic of this kind and device.
  topic       text not null,
  method      text not null,
  token       text not null,
  msg         text not null,
  data_id     text not null,
  -- JSON text as it was said: verbatim for people and smaller than jsonb. Rows that add something are valid jsonb.
  content     text not null
) partition by list (log_days);
create table parts.journal_1 partition of journal for values in (1) partition by range (at);
create table parts.journal_3 partition of journal for values in (3) partition by range (at);
create table parts.journal_7 partition of journal for values in (7) partition by range (at);
create table parts.journal_15 partition of journal for values in (15) partition by range (at);
create index journal_device on journal (device_id, at);
-- Rows lie in the order of receipt, so a few bytes a hundred pages find any time.
create index journal_at on journal using brin (at) with (pages_per_range = 32);

-- The partition of one day (days since 1970, UTC). Attached rather than created in place: that does not stop writers.
create function journal_make_day(days smallint, day integer) returns void language plpgsql as $$
declare
  part text := format('journal_%s_%s', days, day);
begin
  if part_exists(part) then return; end if;
  perform pg_advisory_xact_lock(7201105);
  if part_exists(part) then return; end if;
  execute format('create table parts.%I (like journal including defaults)', part);
  -- The log is append-only and short-lived: what autovacuum has to do here is freeze nothing and know when to analyse.
  execute format('alter table parts.%I set (autovacuum_vacuum_insert_threshold = 1000000)', part);
  execute format('alter table parts.%I attach partition parts.%I for values from (%s) to (%s)',
    'journal_' || days, part, day * 86400000::bigint, (day + 1) * 86400000::bigint);
end $$;

-- Newest value of every property: {identifier: [value, device time in ms]}. Derived, flushed each second.
create table device_latest (
  device_id  bigint primary key references device (device_id) on delete cascade,
  properties jsonb not null,
  flushed_at bigint not null
) with (fillfactor = 70);
-- Everything received before until_at by this server is in device_latest; what came later is repaired at the next start.
create table latest_flush (
  node     integer primary key,
  until_at bigint not null
);

-- Packed history: one row a device, property, kind of value and day (UTC) of device time. Times are ms within the day.
create table history_day (
  device_id bigint not null,
  day       integer not null,
  count     integer not null,
  -- 1 numbers, 2 booleans (as 0 and 1), both in nums; 3 anything else, in vals. Part of the key, so that a property
  -- whose type is changed keeps what it had (decisions.md 2).
  kind      smallint not null,
  property  text collate "C" not null,
  min       double precision,
  max       double precision,
  sum       double precision,
  first     double precision,
  last      double precision,
  times     integer[] not null,
  nums      double precision[],
  vals      jsonb not null default '[]',
  primary key (device_id, property, kind, day)
) partition by range (day);
alter table history_day alter times set statistics 0, alter nums set statistics 0, alter vals set statistics 0;
-- Partitions of 30 days, made when the first value of them is packed.
create function history_make_part(block integer) returns void language plpgsql as $$
declare
  part text := format('history_%s', block);
begin
  if part_exists(part) then return; end if;
  perform pg_advisory_xact_lock(7201105);
  if part_exists(part) then return; end if;
  execute format('create table parts.%I (like history_day including defaults)', part);
  -- Nobody searches for elements; to analyse them would unpack thousands of days.
  execute format('alter table parts.%I alter times set statistics 0, alter nums set statistics 0, alter vals set statistics 0', part);
  execute format('alter table history_day attach partition parts.%I for values from (%s) to (%s)',
    part, block * 30, block * 30 + 30);
end $$;

-- Two packs of the same day become one: by time, the newer pack wins. Nearly always the newer one simply follows.
-- Stats are {min, max, sum, first, last}, null of what are no numbers.
create function history_merge(
  old_times integer[], old_nums double precision[], old_vals jsonb, old_stats double precision[],
  new_times integer[], new_nums double precision[], new_vals jsonb, new_stats double precision[],
  out times integer[], out nums double precision[], out vals jsonb, out stats double precision[]
) language plpgsql immutable as $$
begin
  if new_times[1] > old_times[cardinality(old_times)] then
    times := old_times || new_times;
    nums := old_nums || new_nums;
    vals := old_vals || new_vals;
    stats := array[least(old_stats[1], new_stats[1]), greatest(old_stats[2], new_stats[2]),
      old_stats[3] + new_stats[3], old_stats[4], new_stats[5]];
    return;
  end if;
  select array_agg(t order by t), array_agg(n order by t) filter (where n is not null),
    coalesce(jsonb_agg(v order by t) filter (where v is not null), '[]')
  into times, nums, vals
  from (
    select distinct on (t) t, n, v from (
      select 1 as turn, t, n, old_vals -> (i::integer - 1) as v
      from unnest(old_times, old_nums) with ordinality as o (t, n, i)
      union all
      select 2, t, n, new_vals -> (i::integer - 1)
      from unnest(new_times, new_nums) with ordinality as o (t, n, i)
    ) both_packs order by t, turn desc
  ) newest;
  select array[min(n), max(n), sum(n), nums[1], nums[cardinality(nums)]] into stats from unnest(nums) n;
end $$;

-- Events once the hour of their receipt is packed. The key absorbs repeated ones (decisions.md 4.2).
create table device_event (
  device_id  bigint not null,
  time       bigint not null,
  event_id   text collate "C" not null,
  token      text collate "C" not null,
  product_id text not null,
  type       text not null,
  params     jsonb not null,
  primary key (device_id, time, event_id, token)
);
create index device_event_time on device_event using brin (time);

-- Journal hours before this one (hours since 1970) are packed; of this one, the devices before next_device.
create table pack_state (
  id          smallint primary key default 1 check (id = 1),
  hour        bigint not null,
  next_device bigint not null default 0,
  packed_at   timestamptz not null default now()
);

-- Logs that devices write themselves (device-protocol.md, log upload).
create table sdk_log (
  id         bigint generated always as identity primary key,
  device_id  bigint not null,
  product_id text not null,
  at         bigint not null,
  log_level  smallint not null check (log_level between 1 and 5),
  content    text not null
);
create index sdk_log_device on sdk_log (device_id, at);
create index sdk_log_product on sdk_log (product_id, at);

-- Devices that were deleted and whose data still has to go; a delete of thousands stays quick that way.
create table device_gone (
  device_id  bigint primary key,
  product_id text not null,
  deleted_at timestamptz not null default now()
);
create function device_gone_note() returns trigger language plpgsql as $$
begin
  insert into device_gone (device_id, product_id) select device_id, product_id from old_rows on conflict do nothing;
  return null;
end $$;
create trigger device_gone after delete on device
  referencing old table as old_rows for each statement execute function device_gone_note();

-- Desired values.
create table device_shadow (
  device_id    bigint not null references device (device_id) on delete cascade,
  property     text not null,
  value        jsonb not null,
  set_at       bigint not null,
  set_by       text not null default '',
  delivered_at bigint not null default 0,
  primary key (device_id, property)
);

-- Commands and their answers: who, when, what, how long.
create table device_command (
  id           bigint generated always as identity primary key,
  client_token text not null,
  device_id    bigint not null references device (device_id) on delete cascade,
  -- property, action, get, msg
  kind         text not null check (kind in ('property', 'action', 'get', 'msg')),
  user_name    text not null default '',
  data_id      text not null default '',
  payload      jsonb not null,
  -- 0 while it waits, else 200 or the code of the failure.
  code         integer not null default 0,
  status       text not null default '',
  reply        jsonb not null default 'null',
  sent_at      bigint not null,
  done_at      bigint not null default 0,
  -- Milliseconds.
  latency      integer not null default 0,
  -- Who caused it: user, scene, task, ...
  source       text not null default 'user',
  -- Written to the shadow instead of being sent.
  via_shadow   boolean not null default false
);
create index device_command_device on device_command (device_id, sent_at);
-- Those that still wait, few at any time: after a restart they are found without reading the history.
create index device_command_waiting on device_command (sent_at) where done_at = 0;
create index device_command_token on device_command (client_token);
create index device_command_sent on device_command using brin (sent_at);

-- Who is connected where; the rows of a server that stopped being seen are cleared by the others or its next start.
create table device_session (
  device_id    bigint primary key references device (device_id) on delete cascade,
  server_id    text not null,
  client_id    text not null,
  ip           text not null default '',
  connected_at bigint not null
);
create index device_session_server on device_session (server_id);
-- The platform plays these itself; there are few.
create index device_simulated on device (device_id) where is_simulated = 1;
create table platform_server (
  server_id text primary key,
  seen_at   bigint not null
);
