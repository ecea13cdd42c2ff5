-- Where people are signed in. A row outlives its session for a while, so that a sign-in from a new place can be told.
create table user_session (
  sid           text primary key,
  user_id       bigint not null references app_user on delete cascade,
  token_version integer not null,
  ip_addr       text not null default '',
  location      text not null default '未知',
  browser       text not null default '未知',
  os            text not null default '未知',
  new_place     boolean not null default false,
  told_at       timestamptz,
  created_at    timestamptz not null,
  seen_at       timestamptz not null
);
create index user_session_user on user_session (user_id, created_at desc);

-- The second factor: a secret without totp_at waits for its first code. totp_step is the last one used, so that a code
-- counts once; recovery codes are hashes.
alter table app_user
  add column totp_secret    bytea,
  add column totp_at        timestamptz,
  add column totp_step      bigint not null default 0,
  add column recovery_codes text[] not null default '{}';
alter table role add column second_factor boolean not null default false;
