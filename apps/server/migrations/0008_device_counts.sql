-- More of what a million devices are asked for at once: texts of a product, a page far inside the list, the group tree.

-- A word among the devices of one product, without their rows.
create index device_text_product on device_text (product_id, device_id) include (name, alias);
-- Counting without rows only works where vacuum has been since the last change. Connecting devices change rows all day,
-- and the usual fifth of the table would be 200,000 of them.
alter table device set (autovacuum_vacuum_scale_factor = 0.05);

-- How many devices there are among each 4,096 ids: the page in the middle of a million is found without walking there.
create table device_block (
  block   bigint not null,
  shard   smallint not null,
  devices bigint not null,
  primary key (block, shard)
);
insert into device_block select device_id / 4096, 0, count(*) from device group by 1;
create function device_block_add() returns trigger language plpgsql as $$
begin
  insert into device_block (block, shard, devices)
  select device_id / 4096, pg_backend_pid() % 4, count(*) from new_rows group by 1 order by 1
  on conflict (block, shard) do update set devices = device_block.devices + excluded.devices;
  return null;
end $$;
create function device_block_remove() returns trigger language plpgsql as $$
begin
  insert into device_block (block, shard, devices)
  select device_id / 4096, pg_backend_pid() % 4, -count(*) from old_rows group by 1 order by 1
  on conflict (block, shard) do update set devices = device_block.devices + excluded.devices;
  return null;
end $$;

-- Members of each group and how many of them are online, kept by triggers like device_tally.
create table group_tally (
  group_id bigint not null,
  shard    smallint not null,
  devices  bigint not null,
  online   bigint not null,
  primary key (group_id, shard)
);
insert into group_tally
select group_id, 0, count(*), count(*) filter (where status = 1) from group_device join device using (device_id) group by 1;

-- Devices that are in several groups, with these: a branch of the tree counts each of them once.
create table group_shared (
  device_id bigint primary key,
  groups    bigint[] not null,
  online    boolean not null
);
insert into group_shared
select device_id, array_agg(group_id order by group_id), bool_or(status = 1)
from group_device join device using (device_id) group by device_id having count(*) > 1;

-- Whoever changes the groups of a device holds it, so that nobody else does, connects or disconnects it unseen at the
-- same moment. In the order of the ids, as the writers of presence take them.
create function group_tally_add() returns trigger language plpgsql as $$
begin
  with held as materialized (
    select new_rows.group_id, device.status from new_rows join device using (device_id)
    order by device_id for no key update of device
  )
  insert into group_tally (group_id, shard, devices, online)
  select group_id, pg_backend_pid() % 4, count(*), count(*) filter (where status = 1)
  from held group by group_id order by group_id
  on conflict (group_id, shard) do update
  set devices = group_tally.devices + excluded.devices, online = group_tally.online + excluded.online;
  insert into group_shared
  select device_id, array_agg(group_id order by group_id), bool_or(status = 1)
  from (select distinct device_id from new_rows) changed join group_device using (device_id) join device using (device_id)
  group by device_id having count(*) > 1
  on conflict (device_id) do update set groups = excluded.groups;
  return null;
end $$;
create function group_tally_remove() returns trigger language plpgsql as $$
begin
  with held as materialized (
    -- A group that is gone has no counts.
    select old_rows.group_id, device.status
    from old_rows join device_group using (group_id) join device using (device_id)
    order by device_id for no key update of device
  )
  insert into group_tally (group_id, shard, devices, online)
  select group_id, pg_backend_pid() % 4, -count(*), -count(*) filter (where status = 1)
  from held group by group_id order by group_id
  on conflict (group_id, shard) do update
  set devices = group_tally.devices + excluded.devices, online = group_tally.online + excluded.online;
  delete from group_shared using old_rows where group_shared.device_id = old_rows.device_id
    and (select count(*) from group_device where group_device.device_id = old_rows.device_id) < 2;
  update group_shared set groups = array(
    select group_id from group_device where group_device.device_id = group_shared.device_id order by group_id
  ) from old_rows where group_shared.device_id = old_rows.device_id;
  return null;
end $$;
create trigger group_device_added after insert on group_device
  referencing new table as new_rows for each statement execute function group_tally_add();
create trigger group_device_removed after delete on group_device
  referencing old table as old_rows for each statement execute function group_tally_remove();

create function group_tally_drop() returns trigger language plpgsql as $$
begin
  delete from group_tally using old_rows where group_tally.group_id = old_rows.group_id;
  return null;
end $$;
create trigger device_group_removed after delete on device_group
  referencing old table as old_rows for each statement execute function group_tally_drop();

-- Members that go with their device: all at once and in the order of the groups, which a cascade would not keep, so that
-- two writers cannot wait for each other. The key is asked when the transaction ends.
alter table group_device drop constraint group_device_device_id_fkey;
alter table group_device add constraint group_device_device_id_fkey
  foreign key (device_id) references device (device_id) deferrable initially deferred;
create function group_tally_lose() returns trigger language plpgsql as $$
begin
  with lost as (
    delete from group_device using old_rows where group_device.device_id = old_rows.device_id
    returning group_device.group_id, old_rows.status
  )
  insert into group_tally (group_id, shard, devices, online)
  select group_id, pg_backend_pid() % 4, -count(*), -count(*) filter (where status = 1)
  from lost group by group_id order by group_id
  on conflict (group_id, shard) do update
  set devices = group_tally.devices + excluded.devices, online = group_tally.online + excluded.online;
  delete from group_shared using old_rows where group_shared.device_id = old_rows.device_id;
  return null;
end $$;
create function group_tally_move() returns trigger language plpgsql as $$
begin
  insert into group_tally (group_id, shard, devices, online)
  select group_id, pg_backend_pid() % 4, 0, sum(change)
  from (
    select device_id, (new_rows.status = 1)::integer - (old_rows.status = 1)::integer as change
    from new_rows join old_rows using (device_id) where (new_rows.status = 1) <> (old_rows.status = 1)
  ) changes join group_device using (device_id)
  group by group_id having sum(change) <> 0 order by group_id
  on conflict (group_id, shard) do update set online = group_tally.online + excluded.online;
  update group_shared set online = not online from new_rows
  where group_shared.device_id = new_rows.device_id and group_shared.online <> (new_rows.status = 1);
  return null;
end $$;
-- Triggers run in the order of their names: after device_tally, for every kind of write, for the same reason.
create trigger device_x_block_add after insert on device
  referencing new table as new_rows for each statement execute function device_block_add();
create trigger device_x_block_remove after delete on device
  referencing old table as old_rows for each statement execute function device_block_remove();
create trigger device_y_group_lose after delete on device
  referencing old table as old_rows for each statement execute function group_tally_lose();
create trigger device_y_group_move after update on device
  referencing old table as old_rows new table as new_rows for each statement execute function group_tally_move();
