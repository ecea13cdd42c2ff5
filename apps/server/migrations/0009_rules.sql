-- Scenes, alarms and notifications (rules.md; spec 2 /ruleEngine and /alarmMangers).

create table scene (
  id           integer generated always as identity primary key,
  name         text not null unique,
  status       smallint not null default 1 check (status in (1, 2)),
  description  text not null default '',
  trigger_type text not null check (trigger_type in ('device', 'timer', 'manual')),
  -- JSON texts in the one form of the contract (rules/scene-text.ts).
  trigger      text not null,
  conditions   text not null,
  actions      text not null,
  -- Timer scenes that are enabled: the next run, ms. Whoever moves it runs it, so one of several servers does.
  next_run_at  bigint,
  -- What the list shows of the last run; result 0: never ran.
  last_run_at  bigint not null default 0,
  last_result  smallint not null default 0,
  last_text    text not null default '',
  rev          integer not null default 1,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  updated_by   text not null default ''
);
create index scene_next_run on scene (next_run_at) where next_run_at is not null;
create index scene_last_run on scene (last_run_at);

-- What scenes refer to: properties, events and actions of products, devices, groups, channels and other scenes.
create table scene_reference (
  scene_id    integer not null references scene (id) on delete cascade,
  -- property, event, action, device, group, channel, scene
  kind        text not null,
  product_id  text not null default '',
  -- Identifier, device name, or id as text.
  target      text not null default '',
  primary key (scene_id, kind, product_id, target)
);
create index scene_reference_target on scene_reference (kind, product_id, target);

-- Every firing is one row; the cause makes it one also when a message is looked at twice or two servers see the same
-- moment. Firings are made before their first action, so a run that a crash cut off is found and ended.
create table scene_run (
  run_id       bigint generated always as identity primary key,
  scene_id     integer not null references scene (id) on delete cascade,
  -- Trace id and device of the message, 'timer:<ms>', 'hold:<...>', 'manual:<uuid>', 'scene:<run id>:<step>'.
  cause        text not null,
  -- RunResult of the contract: 1 running, 2 waiting, 3 success, 4 partly, 5 failed.
  result       smallint not null,
  reason       text not null default '',
  trigger_type text not null,
  trigger_text text not null default '',
  -- What raised it, for alarms: {dataID, value, threshold}.
  seen         jsonb not null default '{}',
  conditions   jsonb not null default '[]',
  -- One for each action of `plan` that began: LoggedAction of the contract.
  actions      jsonb not null default '[]',
  -- The actions as they were when it fired: a later edit does not change a run that waits.
  plan         jsonb not null,
  -- Next action of the plan.
  step         integer not null default 0,
  depth        smallint not null default 0,
  device_id    bigint not null default 0,
  product_id   text not null default '',
  device_name  text not null default '',
  trace_id     text not null default '',
  user_name    text not null default '',
  -- ms. fired_at: when it was decided; resume_at: a delay ends then.
  fired_at     bigint not null,
  started_at   bigint not null,
  finished_at  bigint not null default 0,
  resume_at    bigint,
  -- ms from the trigger to the first action; -1: none yet.
  latency      integer not null default -1,
  -- Server that is at it (platform_server); '' while it waits or is over.
  server_id    text not null default '',
  unique (scene_id, cause)
);
create index scene_run_scene on scene_run (scene_id, started_at);
create index scene_run_started on scene_run (started_at);
create index scene_run_device on scene_run (product_id, device_name, started_at) where device_name <> '';
create index scene_run_trace on scene_run (trace_id) where trace_id <> '';
create index scene_run_open on scene_run (resume_at) where result in (1, 2);

-- Firings by the hour: runs are kept for a limited number, counters must not shrink with them.
create table scene_tally (
  scene_id integer not null references scene (id) on delete cascade,
  -- Start of the hour, ms.
  hour     bigint not null,
  fired    integer not null default 0,
  failed   integer not null default 0,
  primary key (scene_id, hour)
);
create index scene_tally_hour on scene_tally (hour);

-- "Did not fire because ...": the last few of each scene.
create table scene_miss (
  miss_id      bigint generated always as identity primary key,
  scene_id     integer not null references scene (id) on delete cascade,
  at           bigint not null,
  reason       text not null,
  trigger_text text not null default '',
  conditions   jsonb not null default '[]',
  product_id   text not null default '',
  device_name  text not null default '',
  trace_id     text not null default ''
);
create index scene_miss_scene on scene_miss (scene_id, miss_id);
create index scene_miss_at on scene_miss (at);
create index scene_miss_trace on scene_miss (trace_id) where trace_id <> '';

-- States that must last (debounce by duration, offline for so long, no data for so long). One row while the state
-- holds; whoever sets fired_at fires.
create table scene_hold (
  scene_id   integer not null references scene (id) on delete cascade,
  -- Index of the trigger in the scene, and the scene's rev it belongs to: an edited scene begins anew.
  trigger_no smallint not null,
  rev        integer not null,
  device_id  bigint not null references device (device_id) on delete cascade,
  since      bigint not null,
  due_at     bigint not null,
  fired_at   bigint,
  -- What was seen, for the log: {value, traceID}.
  seen       jsonb not null default '{}',
  primary key (scene_id, trigger_no, device_id)
);
create index scene_hold_device on scene_hold (device_id);
create index scene_hold_due on scene_hold (due_at) where fired_at is null;

-- Messages received before until_at by this server have been looked at; later ones are looked at again after a crash.
create table scene_checkpoint (
  node     integer primary key,
  until_at bigint not null
);

create table alarm (
  id          integer generated always as identity primary key,
  name        text not null unique,
  status      smallint not null default 1 check (status in (1, 2)),
  level       smallint not null check (level between 1 and 5),
  description text not null default '',
  -- AlarmInfo.notify of the contract.
  notify      jsonb not null default '{}',
  rev         integer not null default 1,
  created_at  timestamptz not null default now()
);
create table alarm_scene (
  alarm_id integer not null references alarm (id) on delete cascade,
  scene_id integer not null references scene (id) on delete cascade,
  primary key (alarm_id, scene_id)
);
create index alarm_scene_scene on alarm_scene (scene_id);

-- One row for each alarm and device (decisions.md 2 "Alarm record"); '' and '' when no device raised it.
create table alarm_record (
  id             integer generated always as identity primary key,
  alarm_id       integer not null references alarm (id) on delete cascade,
  trigger_type   smallint not null,
  product_id     text not null,
  device_name    text not null,
  scene_id       integer not null,
  scene_name     text not null,
  level          smallint not null,
  -- 1 none, 2 alarming, 3 handled
  deal_state     smallint not null,
  -- ms
  first_alarm    bigint not null,
  last_alarm     bigint not null,
  -- Occurrences since it was opened last, and of all times.
  count          integer not null,
  total_count    integer not null,
  cause          text not null default '',
  claim_user_id  integer not null default 0,
  claim_user     text not null default '',
  claimed_at     bigint not null default 0,
  -- When, by whom and how it was handled or cleared last.
  dealt_at       bigint not null default 0,
  dealt_by       text not null default '',
  deal_result    text not null default '',
  -- When it should have been handled; 0: no limit.
  due_at         bigint not null default 0,
  -- When somebody was told last, and the run that made it so: a run raises a record once.
  notified_at    bigint not null default 0,
  notified_run   bigint not null default 0,
  created_at     bigint not null,
  unique (alarm_id, product_id, device_name)
);
-- Few rows that are written again with every occurrence: cleaned early, so that counts stay in the indexes.
alter table alarm_record set (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);
-- The order of the work queue: open first, worst first, newest first. Read backwards.
create index alarm_record_queue on alarm_record ((deal_state = 2), level, last_alarm, id);
-- The counters by level are read from the index alone.
create index alarm_record_open on alarm_record (level, due_at, claim_user_id) where deal_state = 2;
create index alarm_record_open_alarm on alarm_record (alarm_id) where deal_state = 2;
create index alarm_record_last on alarm_record (last_alarm);
create index alarm_record_device on alarm_record (product_id, device_name);

create table alarm_log (
  id              bigint generated always as identity primary key,
  alarm_record_id integer not null references alarm_record (id) on delete cascade,
  description     text not null default '',
  -- JSON text of alarmCause, or ''.
  serial          text not null default '',
  scene_id        integer not null,
  scene_name      text not null,
  level           smallint not null,
  product_id      text not null,
  device_name     text not null,
  -- The run that raised it: the same run raises an alarm once.
  run_id          bigint not null,
  created_at      bigint not null,
  unique (alarm_record_id, run_id)
);
create index alarm_log_record on alarm_log (alarm_record_id, created_at);
create index alarm_log_created on alarm_log (created_at);

create table alarm_deal (
  id              integer generated always as identity primary key,
  alarm_record_id integer not null references alarm_record (id) on delete cascade,
  result          text not null,
  -- 1 human, 2 system
  type            smallint not null,
  alarm_time      bigint not null,
  user_id         integer not null default 0,
  user_name       text not null default '',
  created_at      bigint not null
);
create index alarm_deal_record on alarm_deal (alarm_record_id, created_at);
create index alarm_deal_created on alarm_deal (created_at);

create table notify_channel (
  id          integer generated always as identity primary key,
  name        text not null unique,
  type        text not null check (type in ('webhook', 'email', 'dingtalk', 'wecom', 'feishu')),
  status      smallint not null default 1 check (status in (1, 2)),
  description text not null default '',
  -- ChannelSettings of the contract, with its secret.
  settings    jsonb not null,
  rev         integer not null default 1,
  created_at  timestamptz not null default now()
);

-- The outbox: a row is claimed by one server, tried, and either sent, put off or given up.
create table notify_delivery (
  id           bigint generated always as identity primary key,
  -- null: named inline by a scene, or the channel is gone.
  channel_id   integer references notify_channel (id) on delete set null,
  channel_name text not null default '',
  type         text not null,
  -- As it was when the notice was made, with its secret; emptied when it is over.
  settings     jsonb not null,
  target       text not null default '',
  -- Host that it goes to ('smtp' of mails): only so many at a time go to one.
  lane         text not null default '',
  title        text not null,
  content      text not null,
  -- More for webhooks: the same as fields.
  payload      jsonb not null default '{}',
  -- 1 waiting, 2 sent, 3 failed
  state        smallint not null default 1,
  attempts     smallint not null default 0,
  code         integer not null default 0,
  error        text not null default '',
  -- scene, alarm, test
  source       text not null,
  source_name  text not null default '',
  product_id   text not null default '',
  device_name  text not null default '',
  -- The same notice is made once: '' or unique.
  once_key     text not null default '',
  -- ms
  created_at   bigint not null,
  next_at      bigint not null,
  claimed_at   bigint not null default 0,
  sent_at      bigint not null default 0,
  latency      integer not null default 0
);
create index notify_delivery_due on notify_delivery (next_at) where state = 1;
create index notify_delivery_created on notify_delivery (created_at);
create index notify_delivery_channel on notify_delivery (channel_id, created_at);
create unique index notify_delivery_once on notify_delivery (once_key) where once_key <> '';

-- Menu rows (spec 2, /ruleEngine and /alarmMangers).
insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order, hide_in_menu) values
  (40, 1, '规则引擎', 1, '/ruleEngine', '', 'icon_ecosystem', '/ruleEngine/scene/index', 25, 2),
  (41, 40, '场景联动', 2, '/ruleEngine/scene/index', 'features/scenes/screens/scene-list', 'icon_dosing', '', 1, 2),
  (50, 1, '告警管理', 1, '/alarmMangers', '', 'icon_cloud_monitor', '/alarmMangers/alarmConfiguration/log', 35, 2),
  (51, 50, '告警配置', 2, '/alarmMangers/alarmConfiguration/index', 'features/alarms/screens/alarm-config-list', 'icon_system', '', 2, 2),
  (52, 50, '告警记录', 2, '/alarmMangers/alarmConfiguration/log', 'features/alarms/screens/alarm-record-list', 'icon_data_01', '', 1, 2),
  (53, 50, '通知渠道', 2, '/alarmMangers/notify/index', 'features/notify/screens/notify', 'icon_ap', '', 3, 2);
insert into role_menu (role_id, menu_id)
  select role.id, menu.id from role, menu where role.id in (1, 2) and menu.id in (40, 41, 50, 51, 52, 53)
  union all select 3, menu.id from menu where menu.id in (40, 41, 50, 51, 52) and exists (select from role where id = 3);
