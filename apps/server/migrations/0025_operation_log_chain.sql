-- The operation log proves itself: each entry carries the SHA-256 of the hash before it and of its own content. Entries come
-- in and go by the functions below only. In the embedded database they and the tables belong to a role that the program
-- is not (engines/embedded-pg/roles.ts), elsewhere to whoever is named in docs/deployment.md.

-- What retention took last, and the newest entry: kept apart, so that a cut at either end is seen.
create table operation_log_chain (
  one         boolean primary key default true check (one),
  anchor_id   bigint not null default 0,
  anchor_hash bytea not null default '',
  head_id     bigint not null default 0,
  head_hash   bytea not null default ''
);

-- Read by the check as JSON.stringify writes it (features/logs/check-chain.ts).
create function operation_log_content(entry operation_log) returns text language sql stable as $$
  select array_to_json(array[entry.id::text, entry.user_id::text, entry.user_name, entry.oper_name,
    entry.business_type::text, entry.uri, entry.ip_addr, entry.location, entry.req, entry.resp, entry.code::text,
    entry.msg, entry.duration_ms::text, entry.request_id,
    (extract(epoch from entry.created_at) * 1000000)::bigint::text])::text
$$;

create function operation_log_step(state bytea, beginning bytea, content text) returns bytea language plpgsql immutable as $$
begin
  return sha256(coalesce(state, beginning) || convert_to(content, 'UTF8'));
end $$;
create aggregate operation_log_digest(bytea, text) (sfunc = operation_log_step, stype = bytea);

-- Entries of earlier versions are chained as they are found; numbers that are missing among them say nothing.
alter table operation_log add column hash bytea;
update operation_log set hash = linked.hash from (
  select id, operation_log_digest('', operation_log_content(entry)) over (order by id) as hash from operation_log entry
) linked where linked.id = operation_log.id;
insert into operation_log_chain (head_id, head_hash)
  select coalesce(max(id), 0), coalesce((array_agg(hash order by id desc))[1], '') from
    (select id, hash from operation_log order by id desc limit 1) newest;

-- From here on the chain counts: numbers follow each other without gaps, in the order of the chain.
alter table operation_log alter column id drop identity, alter column id set default 0, alter column hash set not null;

-- Servers that write at once wait for each other at the row of the chain, once a batch.
create function operation_log_append(entries jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  head public.operation_log_chain;
begin
  select * into head from public.operation_log_chain for update;
  insert into public.operation_log (id, user_id, user_name, oper_name, business_type, uri, ip_addr, location, req, resp,
    code, msg, duration_ms, request_id, created_at, hash)
  select e.id, e.user_id, e.user_name, e.oper_name, e.business_type, e.uri, e.ip_addr, e.location, e.req, e.resp,
    e.code, e.msg, e.duration_ms, e.request_id, e.created_at,
    public.operation_log_digest(head.head_hash, public.operation_log_content(e)) over (order by e.id)
  from jsonb_array_elements(entries) with ordinality as given(entry, n),
    jsonb_populate_record(null::public.operation_log, entry || jsonb_build_object('id', head.head_id + n)) as e;
  update public.operation_log_chain set (head_id, head_hash) =
    (select id, hash from public.operation_log where id = head.head_id + jsonb_array_length(entries))
  where jsonb_array_length(entries) > 0;
end $$;

-- Retention, and the only way out: from the oldest on, nothing of the last day, and only up to the first entry that is to
-- be kept. One that a wrong clock dated days ahead holds nothing up.
create function operation_log_drop(before timestamptz, at_most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  until bigint;
  dropped integer;
begin
  perform from public.operation_log_chain for update;
  with oldest as (select id, created_at from public.operation_log order by id limit at_most)
  select max(id) into until from oldest where id < coalesce((select min(id) from oldest
    where created_at >= least(before, now() - interval '1 day') and created_at <= now() + interval '1 day'),
    9223372036854775807);
  update public.operation_log_chain set (anchor_id, anchor_hash) =
    (select id, hash from public.operation_log where id = until) where until is not null;
  perform set_config('operation_log.dropping', 'on', true);
  delete from public.operation_log where id <= until;
  get diagnostics dropped = row_count;
  perform set_config('operation_log.dropping', 'off', true);
  return dropped;
end $$;

-- Where one role owns everything, rights cannot hold it back; this holds back its mistakes.
create function operation_log_refuse() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('operation_log.dropping', true) = 'on' then return null; end if;
  raise exception 'the operation log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger operation_log_refuse before update or delete or truncate on operation_log
  for each statement execute function operation_log_refuse();
