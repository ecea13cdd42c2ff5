-- Devices, gateways, groups. A million devices must stay quick to find (goals.md "Lists").
create table device (
  device_id       bigint generated always as identity,
  product_id      text not null references product (product_id),
  device_name     text not null check (device_name ~ '^[A-Za-z0-9_.:@-]{1,48}$'),
  device_alias    text not null default '',
  secret          text not null,
  cert            text not null default '',
  imei            text not null default '',
  mac             text not null default '',
  hard_info       text not null default '',
  soft_info       text not null default '',
  version         text not null default '',
  longitude       double precision not null default 0,
  latitude        double precision not null default 0,
  address         text not null default '',
  tags            jsonb not null default '[]',
  is_online       smallint not null default 2 check (is_online in (1, 2)),
  first_login     timestamptz,
  last_login      timestamptz,
  log_level       smallint not null default 1,
  mobile_operator smallint not null default 0,
  phone           text,
  iccid           text,
  is_enable       smallint not null default 1 check (is_enable in (1, 2)),
  is_simulated    smallint not null default 2 check (is_simulated in (1, 2)),
  -- The job that made it, so that a repeated try knows its own.
  made_by         text not null default '',
  rev             integer not null default 1,
  created_at      timestamptz not null default now(),
  -- spec 4: never activated, online and offline are disjoint.
  status          smallint not null generated always as
                    (case when first_login is null then 3 when is_online = 1 then 1 else 2 end) stored,
  -- Both carry the columns of the quick filters, so that members of a group or a product are counted without their rows.
  primary key (device_id) include (product_id, status, is_enable, is_simulated, version),
  constraint device_product_id_device_name_key
    unique (product_id, device_name) include (device_id, status, is_enable, is_simulated, version),
  -- Who is online has been activated: so the three states follow from two columns.
  check (is_online = 2 or first_login is not null)
);
-- One index a sort order of the list, each ending in the device id that decides among equals, and carrying the columns
-- of the quick filters, so that any page under such a filter is found without visiting rows. Times that are missing mean
-- "never" and sort before all others.
create index device_created on device (created_at, device_id)
  include (product_id, status, is_enable, is_simulated, version);
create index device_first_login on device (first_login nulls first, device_id)
  include (product_id, status, is_enable, is_simulated, version);
create index device_last_login on device (last_login nulls first, device_id)
  include (product_id, status, is_enable, is_simulated, version);
create index device_name_order on device (device_name, device_id)
  include (product_id, status, is_enable, is_simulated, version);
create index device_alias_order on device (device_alias, device_id)
  include (product_id, status, is_enable, is_simulated, version);
create index device_version on device (version, device_id)
  include (product_id, status, is_enable, is_simulated);
create index device_online_order on device (is_online, device_id)
  include (product_id, status, is_enable, is_simulated, version);
create index device_log_level_order on device (log_level, device_id)
  include (product_id, status, is_enable, is_simulated, version);
-- The devices of one product, with everything that its list can be sorted by.
create index device_product on device (product_id, created_at, device_id)
  include (status, is_enable, is_simulated, version, is_online, log_level, first_login, last_login);
create index device_name_trgm on device using gin (lower(device_name) gin_trgm_ops);
create index device_alias_trgm on device using gin (lower(device_alias) gin_trgm_ops);
create index device_tags on device using gin (tags jsonb_path_ops);
create index device_place on device (latitude, longitude) where longitude <> 0 or latitude <> 0;
create index device_made_by on device (made_by) where made_by <> '';

-- How many devices there are of each kind that the list can be filtered by, kept by triggers: counting a million rows
-- takes too long. Sharded, so that devices that connect at the same moment do not wait for one row.
create table device_tally (
  product_id   text not null,
  status       smallint not null,
  is_enable    smallint not null,
  is_simulated smallint not null,
  version      text not null,
  shard        smallint not null,
  devices      bigint not null,
  primary key (product_id, status, is_enable, is_simulated, version, shard)
);

-- Rows are always taken in the order of the key, so that two writers cannot wait for each other.
create function device_tally_add() returns trigger language plpgsql as $$
begin
  insert into device_tally (product_id, status, is_enable, is_simulated, version, shard, devices)
  select product_id, status, is_enable, is_simulated, version, pg_backend_pid() % 4, count(*) from new_rows
  group by product_id, status, is_enable, is_simulated, version
  order by product_id, status, is_enable, is_simulated, version
  on conflict (product_id, status, is_enable, is_simulated, version, shard)
  do update set devices = device_tally.devices + excluded.devices;
  return null;
end $$;
create function device_tally_remove() returns trigger language plpgsql as $$
begin
  insert into device_tally (product_id, status, is_enable, is_simulated, version, shard, devices)
  select product_id, status, is_enable, is_simulated, version, pg_backend_pid() % 4, -count(*) from old_rows
  group by product_id, status, is_enable, is_simulated, version
  order by product_id, status, is_enable, is_simulated, version
  on conflict (product_id, status, is_enable, is_simulated, version, shard)
  do update set devices = device_tally.devices + excluded.devices;
  return null;
end $$;
create function device_tally_move() returns trigger language plpgsql as $$
begin
  insert into device_tally (product_id, status, is_enable, is_simulated, version, shard, devices)
  select product_id, status, is_enable, is_simulated, version, pg_backend_pid() % 4, sum(change)
  from (
    select product_id, status, is_enable, is_simulated, version, 1 as change from new_rows
    union all
    select product_id, status, is_enable, is_simulated, version, -1 from old_rows
  ) changes
  group by product_id, status, is_enable, is_simulated, version having sum(change) <> 0
  order by product_id, status, is_enable, is_simulated, version
  on conflict (product_id, status, is_enable, is_simulated, version, shard)
  do update set devices = device_tally.devices + excluded.devices;
  return null;
end $$;
create trigger device_inserted after insert on device
  referencing new table as new_rows for each statement execute function device_tally_add();
create trigger device_deleted after delete on device
  referencing old table as old_rows for each statement execute function device_tally_remove();
create trigger device_updated after update on device
  referencing old table as old_rows new table as new_rows for each statement execute function device_tally_move();

create table gateway_device (
  gateway_id bigint not null references device (device_id) on delete cascade,
  device_id  bigint not null references device (device_id) on delete cascade,
  bound_at   timestamptz not null default now(),
  primary key (gateway_id, device_id)
);
-- A sub-device speaks through one gateway.
create unique index gateway_device_child on gateway_device (device_id);

create table device_group (
  group_id    bigint generated by default as identity primary key,
  parent_id   bigint not null,
  group_name  text not null,
  product_id  text not null default '',
  description text not null default '',
  tags        jsonb not null default '[]',
  rev         integer not null default 1,
  created_at  timestamptz not null default now(),
  check (parent_id <> group_id)
);
-- Entry 1 is the root of the wire; it has no row of its own.
select setval(pg_get_serial_sequence('device_group', 'group_id'), 1000);
create unique index device_group_name_key on device_group (group_name);
create index device_group_parent on device_group (parent_id);
create index device_group_tags on device_group using gin (tags jsonb_path_ops);

create table group_device (
  group_id  bigint not null references device_group (group_id) on delete cascade,
  device_id bigint not null references device (device_id) on delete cascade,
  joined_at timestamptz not null default now(),
  primary key (group_id, device_id)
);
create index group_device_member on group_device (device_id, group_id);

insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order, hide_in_menu) values
  (23, 20, '设备', 2, '/deviceMangers/device/index', 'features/devices/screens/device-list', 'icon_device', '', 3, 2),
  (24, 20, '设备详情', 2, '/deviceMangers/device/detail/:id/:name/:type', 'features/devices/screens/device-detail', 'icon_device', '', 4, 1),
  (25, 20, '分组', 2, '/deviceMangers/group/index', 'features/groups/screens/group-list', 'icon_ecosystem', '', 6, 2),
  (26, 20, '分组详情', 2, '/deviceMangers/group/detail/:id', 'features/groups/screens/group-detail', 'icon_ecosystem', '', 7, 1);
insert into role_menu (role_id, menu_id) select role.id, menu.id from role, menu where role.id in (1, 2, 3) and menu.id between 23 and 26;
