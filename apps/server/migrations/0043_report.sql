-- Programs that know 0041 may run beside this.
-- Reports by schedule, and what they tell of devices beyond the days that logs are kept: when each came and went.
create table device_presence (
  device_id bigint not null references device on delete cascade,
  -- Milliseconds.
  at        bigint not null,
  online    boolean not null
);
create index device_presence_device on device_presence (device_id, at);
create index device_presence_at on device_presence (at);
-- One row: since when changes are written down. What was before is not known.
create table device_presence_start (at bigint not null);
insert into device_presence_start values ((extract(epoch from now()) * 1000)::bigint);

-- In the one place that every way to become online or offline passes. The coming has its exact time in the row.
create function device_presence_note() returns trigger language plpgsql as $$
begin
  insert into device_presence (device_id, at, online) values (
    new.device_id,
    (extract(epoch from case when new.is_online = 1 and new.last_login is distinct from old.last_login
      then new.last_login else clock_timestamp() end) * 1000)::bigint,
    new.is_online = 1);
  return null;
end $$;
create trigger device_presence_note after update of is_online on device for each row
  when (old.is_online is distinct from new.is_online) execute function device_presence_note();

create table report (
  id         bigint generated always as identity primary key,
  name       text not null unique,
  is_enable  smallint not null,
  schedule   smallint not null,
  plan       jsonb not null,
  -- Milliseconds; null: it rests. Whoever moves it on begins the run.
  next_at    bigint,
  user_id    bigint not null,
  user_name  text not null,
  rev        integer not null default 1,
  created_at timestamptz not null default now()
);
create index report_next on report (next_at) where next_at is not null;

create table report_run (
  id          bigint generated always as identity primary key,
  report_id   bigint not null references report on delete cascade,
  job_id      text not null,
  trigger     smallint not null,
  period_from bigint not null,
  period_to   bigint not null,
  tell        boolean not null,
  user_name   text not null,
  created_at  bigint not null,
  -- 0: not yet; its job knows why.
  finished_at bigint not null default 0,
  error       text not null default '',
  file_path   text not null default '',
  file_name   text not null default '',
  file_size   bigint not null default 0,
  told        jsonb not null default '[]',
  problems    jsonb not null default '[]'
);
create index report_run_report on report_run (report_id, id);

-- A file that goes along with a mail: its path and its name.
alter table notify_delivery add column attachment jsonb not null default '{}';

insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order)
  select 36, 30, '报表', 2, '/operationsMonitorings/report/index', './operationsMonitorings/report/index', 'icon_data_01', '', 6
  where exists (select from menu where id = 30) and not exists (select from menu where id = 36);
insert into role_menu (role_id, menu_id)
  select role.id, menu.id from role, menu
  where role.id in (1, 2) and menu.id = 36 and menu.path = '/operationsMonitorings/report/index';
