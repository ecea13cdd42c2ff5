-- The large screen (spec 2 /home; issue 7): its figures are kept, so that no call looks at a million devices or at the
-- journal. Samples and message counts go after nine days: seven of them are shown, each beside the day before.

-- Devices by state at the beginning of each minute (ms). Taken from device_tally by whichever server is first.
create table home_sample (
  at       bigint primary key,
  total    bigint not null,
  online   bigint not null,
  offline  bigint not null,
  inactive bigint not null
);
-- Messages of devices that were stored within each minute (ms); every server adds its own. No row: no server was there.
create table home_message (
  at       bigint primary key,
  messages bigint not null
);

-- What is done in the background by one server at a time (features/dashboard/work): when last, how long it took (ms),
-- what it has seen (alarm: occurrences before this ms are in home_alarm; map: changes of the tables) and how many it found.
create table home_work (
  name  text primary key,
  at    bigint not null default 0,
  took  integer not null default 0,
  seen  bigint not null default 0,
  found bigint not null default 0
);
insert into home_work (name) values ('map'), ('away'), ('silent'), ('alarm');

-- Occurrences of alarms by five minutes (ms) and level: every midnight of the world lies between two of them. Filled
-- for times that are over; the newest minutes are counted from the log itself, so raising an alarm costs nothing.
create table home_alarm (
  at     bigint not null,
  level  smallint not null,
  alarms integer not null,
  primary key (at, level)
);
-- Entries that come with an old time or go with their alarm change what has been counted already. Whoever writes such
-- holds the mark, so that it does not move meanwhile.
create function home_alarm_change() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'DELETE' then -1 else 1 end;
  mark bigint;
begin
  if not exists (select from changed) then return null; end if;
  -- An entry of this very minute is never counted already: the usual case ends here.
  if sign = 1 and (select min(created_at) from changed) > extract(epoch from clock_timestamp()) * 1000 - 60000 then
    return null;
  end if;
  select seen into mark from home_work where name = 'alarm' for share;
  insert into home_alarm as kept (at, level, alarms)
  select created_at / 300000 * 300000, level, sign * count(*) from changed
  -- Older ones are not kept.
  where created_at < mark and created_at >= mark - 777600000
  group by 1, 2 order by 1, 2
  on conflict (at, level) do update set alarms = kept.alarms + excluded.alarms;
  return null;
end $$;
create trigger home_alarm_added after insert on alarm_log
  referencing new table as changed for each statement execute function home_alarm_change();
create trigger home_alarm_removed after delete on alarm_log
  referencing old table as changed for each statement execute function home_alarm_change();
-- The newest open ones, and those that repeat most.
create index alarm_record_newest on alarm_record (last_alarm) where deal_state = 2;
create index alarm_record_often on alarm_record (count) where deal_state = 2;

-- The map: devices by cell of 360/1024 degrees and product ('': all). Kept in the background by looking at all devices
-- (see work/refresh-map.ts for why not by triggers). Cell -1, -1: devices without a position.
create table home_cell (
  product_id text not null,
  x          smallint not null,
  y          smallint not null,
  online     integer not null,
  offline    integer not null,
  inactive   integer not null,
  -- Sums, for the middle of several cells.
  longitude  double precision not null,
  latitude   double precision not null,
  -- Worst unhandled alarm; 0: none.
  level      smallint not null,
  primary key (product_id, x, y)
);
-- City of a cell; '': none is near.
create table home_place (
  x    smallint not null,
  y    smallint not null,
  city text not null,
  primary key (x, y)
);
-- Devices on the map with unhandled alarms.
create table home_alert (
  device_id  bigint primary key,
  product_id text not null,
  longitude  double precision not null,
  latitude   double precision not null,
  level      smallint not null
);
create index home_alert_place on home_alert (latitude, longitude);
-- With what a small part of the map shows, so that rows need not be visited.
drop index device_place;
create index device_place on device (latitude, longitude) include (product_id, status)
  where longitude <> 0 or latitude <> 0;

-- Devices that are offline and since when; devices that are online and silent (at most some thousands).
create table home_away (
  device_id bigint primary key,
  since     bigint not null
);
create index home_away_since on home_away (since);
create table home_silent (
  device_id bigint primary key,
  since     bigint not null
);
create index home_silent_since on home_silent (since);
-- Failed devices of a run, newest last; and how many of a run are under way.
create index rollout_device_failed on rollout_device (run_id, updated_at) where state = 4;
create index rollout_device_under_way on rollout_device (run_id) where state = 2;

insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order, hide_in_menu) values
  (60, 1, '大屏', 2, '/home', 'features/home/screens/home', 'icon_cloud_monitor', '', 1, 2);
insert into role_menu (role_id, menu_id) select role.id, 60 from role where role.id in (1, 2, 3);
