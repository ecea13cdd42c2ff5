-- Programs that know 0041 may run beside this.
-- Changes of the configuration that somebody proposed or applied as a whole, with what stood before.
create table config_plan (
  id         bigint generated always as identity primary key,
  title      text not null,
  reason     text not null default '',
  state      smallint not null,
  user_id    bigint not null,
  created_by text not null,
  key_name   text not null default '',
  origin     text not null,
  creates    integer not null,
  updates    integer not null,
  deletes    integer not null,
  -- Sealed as a whole: objects are kept with their secrets, so that they can be put back.
  changes    jsonb not null,
  decided_by text not null default '',
  decided_at timestamptz,
  decision   text not null default '',
  rev        integer not null default 1,
  created_at timestamptz not null
);
create index config_plan_created on config_plan (created_at);
create index config_plan_state on config_plan (state, created_at);

insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order)
  select 45, 2, '配置计划', 2, '/systemMangers/plan/index', './systemMangers/plan/index', 'icon_data_01', '', 10
  where exists (select from menu where id = 2) and not exists (select from menu where id = 45);
insert into role_menu (role_id, menu_id) select 1, id from menu where id = 45 and path = '/systemMangers/plan/index';
