-- Background jobs as people see them; the queue itself (who runs what next) lives in the schema of pg-boss.
create table job (
  job_id           text primary key,
  kind             text not null,
  title            text not null,
  status           smallint not null default 1 check (status between 1 and 5),
  total            integer not null default 0,
  done             integer not null default 0,
  error            text not null default '',
  attempts         integer not null default 0,
  user_id          bigint not null default 0,
  user_name        text not null default '',
  input            jsonb not null,
  result           text not null default '',
  file_path        text not null default '',
  file_name        text not null default '',
  cancel_requested boolean not null default false,
  deadline_at      timestamptz not null,
  created_at       timestamptz not null default now(),
  finished_at      timestamptz
);
create index job_time on job (created_at desc);
create index job_open on job (status) where status in (1, 2);

insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order) values
  (11, 2, '后台任务', 2, '/systemMangers/job/index', 'features/jobs/screens/job-list', 'icon_electric', '', 7);
insert into role_menu (role_id, menu_id) values (1, 11);
