-- How many devices there are between each two of some names: a page far inside the order of names is found without
-- walking there (as device_block does for ids). Devices of a fence have names from its own up to the next one's.
create table device_name_fence (
  name    text not null,
  shard   smallint not null,
  devices bigint not null,
  primary key (name, shard)
);
-- A post every 4,096 devices; equal names of several products stay together.
insert into device_name_fence
select name, 0, count(*) from (
  select max(post) over (order by device_name) as name
  from (
    select device_name, case when (row_number() over (order by device_name) - 1) % 4096 = 0 then device_name end as post
    from device
  ) posts
) placed group by name;
-- Before all names, so that each has a fence.
insert into device_name_fence values ('', 0, 0);

create function device_name_fence_count(names text[], sign integer) returns void language sql as $$
  insert into device_name_fence (name, shard, devices)
  select (select fence.name from device_name_fence fence where fence.name <= given.name order by fence.name desc limit 1),
    pg_backend_pid() % 4, sign * count(*)
  from unnest(names) as given (name) group by 1 order by 1
  on conflict (name, shard) do update set devices = device_name_fence.devices + excluded.devices
$$;
create function device_name_fence_add() returns trigger language plpgsql as $$
begin
  perform device_name_fence_count(array(select device_name from new_rows), 1);
  return null;
end $$;
create function device_name_fence_remove() returns trigger language plpgsql as $$
begin
  perform device_name_fence_count(array(select device_name from old_rows), -1);
  return null;
end $$;
create trigger device_z_name_add after insert on device
  referencing new table as new_rows for each statement execute function device_name_fence_add();
create trigger device_z_name_remove after delete on device
  referencing old table as old_rows for each statement execute function device_name_fence_remove();

-- Fences that hold too many get posts in between. Called now and then by the server. The lock waits for writers that
-- have counted already; those that have not will find the new posts.
create function device_name_fence_tidy(most integer, wanted integer) returns integer language plpgsql
set lock_timeout = '2s' as $$
declare
  crowded text[];
  posts   text[];
  counts  bigint[];
begin
  perform from device_name_fence group by name having sum(devices) > most limit 1;
  if not found then return 0; end if;
  lock table device_name_fence in share row exclusive mode;
  select array_agg(name) into crowded
  from (select name from device_name_fence group by name having sum(devices) > most) full_ones;
  if crowded is null then return 0; end if;
  select array_agg(name), array_agg(devices) into posts, counts from (
    select name, count(*) as devices from (
      select max(post) over (partition by fence order by device_name) as name
      from (
        select fence.name as fence, device_name, case when (row_number() over
          (partition by fence.name order by device_name) - 1) % wanted = 0 then device_name end as post
        from unnest(crowded) as fence (name)
        cross join lateral (select min(name) as name from device_name_fence later where later.name > fence.name) next
        join device on device_name >= fence.name and (next.name is null or device_name < next.name)
      ) inside
    ) placed group by name
  ) split;
  delete from device_name_fence where name = any(crowded);
  insert into device_name_fence (name, shard, devices) select name, 0, devices from unnest(posts, counts) as new (name, devices);
  insert into device_name_fence values ('', 0, 0) on conflict do nothing;
  return cardinality(posts);
end $$;
