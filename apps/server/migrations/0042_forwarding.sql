-- Programs that know 0041 may run beside this.
-- Forwarding (docs/architecture.md "Forwarding"): rules, how far each has come, and what targets refused.

-- The transaction that wrote a row: with a snapshot it tells exactly what has been committed since somebody looked last.
alter table journal add column xid xid8;
alter table journal alter column xid set default pg_current_xact_id();
create index journal_xid on journal (xid) where xid is not null;
alter table alarm_log add column xid xid8;
alter table alarm_log alter column xid set default pg_current_xact_id();
create index alarm_log_xid on alarm_log (xid) where xid is not null;
alter table alarm_deal add column xid xid8;
alter table alarm_deal alter column xid set default pg_current_xact_id();
create index alarm_deal_xid on alarm_deal (xid) where xid is not null;

create table forward_rule (
  id          integer generated always as identity primary key,
  name        text not null unique,
  description text not null default '',
  -- 1 running, 2 paused
  status      smallint not null check (status in (1, 2)),
  sources     text[] not null,
  filter      jsonb not null,
  form        text not null,
  script      text not null default '',
  target_type text not null,
  -- TargetSettings of the contract, sealed.
  target      jsonb not null,
  lag_seconds integer not null default 0,
  channel_ids integer[] not null default '{}',
  rev         integer not null default 1,
  created_at  timestamptz not null default now()
);

-- Written about once a second by the server that has the rule.
create table forward_state (
  rule_id      integer primary key references forward_rule on delete cascade,
  -- Where each source has to go on (features/forwarding/position.ts).
  position     jsonb not null,
  -- Who has it, until when by the clock of the database. The number rises with each taking: an older one writes nothing.
  owner        text not null default '',
  turn         integer not null default 0,
  lease_until  timestamptz not null default '-infinity',
  sent         bigint not null default 0,
  rate         real not null default 0,
  -- ms; 0: nothing waits, or never.
  oldest_at    bigint not null default 0,
  loses_at     bigint not null default 0,
  last_sent_at bigint not null default 0,
  error        text not null default '',
  error_at     bigint not null default 0,
  -- The last ten as sent.
  recent       jsonb not null default '[]',
  -- That its lag is too long was told then, ms; 0: it is not.
  lag_told_at  bigint not null default 0
) with (fillfactor = 50);

create table forward_dead_letter (
  id          bigint generated always as identity primary key,
  rule_id     integer not null references forward_rule on delete cascade,
  message_id  text not null,
  source      text not null,
  product_id  text not null,
  device_name text not null,
  identifier  text not null,
  -- ms
  time        bigint not null,
  created_at  bigint not null,
  reason      text not null,
  body        text not null,
  content_type text not null,
  data        jsonb not null,
  unique (rule_id, message_id)
);
create index forward_dead_letter_rule on forward_dead_letter (rule_id, created_at);

insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order)
  select 43, 40, '数据转发', 2, '/ruleEngine/forward/index', './ruleEngine/forward/index', 'icon_data_01', '', 3
  where exists (select from menu where id = 40) and not exists (select from menu where id = 43);
insert into role_menu (role_id, menu_id) select 1, id from menu where id = 43 and path = '/ruleEngine/forward/index';
