-- Remote configuration, firmware, upgrades and device tasks (spec 2 /operationsMonitorings; issue "Operations").

-- Versions of a product's configuration; the newest counts.
create table remote_config (
  id            integer generated always as identity primary key,
  product_id    text not null references product (product_id) on delete cascade,
  content       text not null,
  note          text not null default '',
  restored_from integer not null default 0,
  user_name     text not null default '',
  created_at    timestamptz not null default now()
);
create index remote_config_product on remote_config (product_id, id);
-- What a device got last, by being told or by asking.
create table device_config (
  device_id    bigint primary key references device (device_id) on delete cascade,
  config_id    integer not null,
  delivered_at bigint not null
);

-- One machinery for everything that is sent to many devices at a pace (features/rollouts): a run and its devices. Runs
-- are locked while somebody takes from them, so that the pace is kept over all servers; devices are claimed.
create table rollout (
  run_id      bigint generated always as identity primary key,
  -- task, ota, config
  kind        text not null,
  -- Id of the task, upgrade or version; the feature's own.
  owner_id    integer not null,
  product_id  text not null,
  -- Of live notices: task/1, ota/<uid>, config/<product>.
  topic       text not null,
  trigger     text not null default '',
  -- 1 waiting, 2 running, 3 done, 4 cancelled, 5 paused (or halted), 6 preparing
  state       smallint not null default 6,
  reason      text not null default '',
  per_minute  integer not null,
  -- Position that may be sent up to (stages); null: all.
  limit_to    integer,
  -- A device that fails is tried again so often, after so long (ms).
  retries     smallint not null default 0,
  retry_ms    integer not null default 0,
  total       integer not null default 0,
  success     integer not null default 0,
  failed      integer not null default 0,
  -- The pace: so many were taken since.
  paced_from  bigint not null default 0,
  paced_count integer not null default 0,
  user_name   text not null default '',
  -- ms
  start_at    bigint not null,
  end_at      bigint not null default 0,
  started_at  bigint not null default 0,
  finished_at bigint not null default 0,
  created_at  bigint not null
);
create index rollout_owner on rollout (kind, owner_id, run_id);
create index rollout_open on rollout (start_at) where state in (1, 2, 5);
create table rollout_device (
  id           bigint generated always as identity primary key,
  run_id       bigint not null references rollout (run_id) on delete cascade,
  device_id    bigint not null,
  product_id   text not null,
  device_name  text not null,
  -- Order in which they are taken.
  position     integer not null,
  -- 1 waiting, 2 sent, 3 success, 4 failed, 5 cancelled
  state        smallint not null default 1,
  -- The feature's own status (101 ... 701; 1 ... 4).
  status       smallint not null,
  code         integer not null default 0,
  msg          text not null default '',
  attempts     smallint not null default 0,
  -- Tries before somebody asked for another round: the automatic ones are counted from there.
  tried_before smallint not null default 0,
  client_token text not null default '',
  -- The feature's own: source version, step, probation.
  detail       jsonb not null default '{}',
  -- ms; due_at: waiting ones are not taken before (9e15: not until the device connects), sent ones time out then.
  due_at       bigint not null default 0,
  claimed_by   text not null default '',
  sent_at      bigint not null default 0,
  done_at      bigint not null default 0,
  updated_at   bigint not null,
  unique (run_id, device_id)
);
-- Without those that wait for their device: they may be many, and are looked for at every tick.
create index rollout_device_waiting on rollout_device (run_id, position) where state = 1 and due_at < 9000000000000000;
create index rollout_device_parked on rollout_device (device_id) where state = 1 and due_at >= 9000000000000000;
create index rollout_device_sent on rollout_device (due_at) where state = 2;
create index rollout_device_open on rollout_device (device_id) where state in (1, 2);
create index rollout_device_status on rollout_device (run_id, status);

create table firmware (
  firmware_id integer generated always as identity primary key,
  -- Deleting a product is refused while it has packages; what is left of deleted ones goes with it.
  product_id  text not null references product (product_id) on delete cascade,
  name        text not null,
  version     text not null,
  module      smallint not null check (module between 1 and 3),
  is_diff     smallint not null check (is_diff in (1, 2)),
  src_version text not null default '',
  sign_method text not null,
  description text not null default '',
  ext_data    text not null default '',
  size        bigint not null,
  user_name   text not null default '',
  rev         integer not null default 1,
  created_at  timestamptz not null default now(),
  -- Its files are gone; the row stays for as long as tasks tell of it.
  deleted_at  timestamptz
);
create unique index firmware_version on firmware (product_id, module, version, is_diff, src_version) where deleted_at is null;
create table firmware_file (
  id          integer generated always as identity primary key,
  firmware_id integer not null references firmware (firmware_id) on delete cascade,
  path        text not null,
  name        text not null,
  size        bigint not null,
  md5         text not null,
  sha256      text not null,
  -- Ed25519 over the SHA-256, base64; '' without.
  ed25519     text not null default ''
);
create index firmware_file_firmware on firmware_file (firmware_id);
-- Uploads that can go on after a cut; the bytes lie in the temporary folder. Rows go a day after they were made.
create table resumable_upload (
  upload_id  text primary key,
  user_id    bigint not null references app_user (user_id) on delete cascade,
  file_name  text not null,
  size       bigint not null,
  finished   boolean not null default false,
  -- ms
  created_at bigint not null
);
create index resumable_upload_user on resumable_upload (user_id);
-- Public keys (Ed25519, PEM) that signatures of packages are checked with.
create table firmware_key (
  product_id text primary key references product (product_id) on delete cascade,
  public_key text not null
);
-- Versions that devices reported for each module.
create table device_module (
  device_id   bigint not null references device (device_id) on delete cascade,
  module      smallint not null,
  -- As the device calls it: main and default are one module.
  name        text not null default '',
  version     text not null,
  reported_at bigint not null,
  primary key (device_id, module)
);

create table ota_task (
  task_id     integer generated always as identity primary key,
  task_uid    text not null unique,
  firmware_id integer not null references firmware (firmware_id) on delete cascade,
  product_id  text not null,
  run_id      bigint references rollout (run_id),
  status      smallint not null default 1,
  -- OtaTaskInput of the contract, without its devices.
  plan        jsonb not null,
  devices     jsonb not null default '[]',
  -- The stage at work, when each began (ms), and the one that somebody let pass although it failed.
  stage       smallint not null default 0,
  stage_times jsonb not null default '[]',
  forced      smallint not null default -1,
  -- Of a task that is over: devices by stage and status, so that lists do not count them again.
  counts      jsonb not null default '[]',
  user_name   text not null default '',
  -- ms
  created_at  bigint not null,
  finished_at bigint not null default 0
);
create index ota_task_firmware on ota_task (firmware_id);
create index ota_task_open on ota_task (product_id) where status in (1, 2);
create index ota_task_run on ota_task (run_id);
-- Upgraded devices that have to stay for a while before they count.
create index rollout_device_trial on rollout_device (id) where state = 2 and detail ? 'arrivedAt';

create table device_task (
  task_id     integer generated always as identity primary key,
  name        text not null,
  task_type   smallint not null,
  product_id  text not null,
  schedule    smallint not null,
  is_enable   smallint not null default 1,
  -- TaskInput of the contract.
  plan        jsonb not null,
  -- Why it was disabled or its schedule given up; what became of runs stands there.
  reason      text not null default '',
  last_run    bigint references rollout (run_id),
  -- Times that came while a run was still open, since that one began.
  skipped     integer not null default 0,
  -- ms
  next_run_at bigint,
  edited_at   bigint not null default 0,
  user_id     bigint not null default 0,
  user_name   text not null default '',
  rev         integer not null default 1,
  created_at  timestamptz not null default now()
);
create index device_task_due on device_task (next_run_at) where next_run_at is not null;
create index device_task_product on device_task (product_id);
-- Asked for each run that goes.
create index device_task_last_run on device_task (last_run);

insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order, hide_in_menu) values
  (27, 20, '任务', 2, '/deviceMangers/createDeviceTask/index', 'features/tasks/screens/task-list', 'icon_feedwater', '', 3, 2),
  (33, 30, '远程配置', 2, '/operationsMonitorings/remoteConfiguration/index', 'features/remote-config/screens/remote-config', 'icon_system', '', 3, 2),
  (34, 30, '固件升级', 2, '/operationsMonitorings/firmwareUpgrade/index', 'features/ota/screens/firmware-upgrade', 'icon_heat', '', 4, 2),
  (35, 30, '固件包管理', 2, '/operationsMonitorings/firmwareManger/index', 'features/ota/screens/firmware-list', 'icon_ap', '', 5, 2);
insert into role_menu (role_id, menu_id) select role.id, menu.id from role, menu where role.id in (1, 2) and menu.id in (27, 33, 34, 35);
