-- Marks of the keys that secrets are sealed with, never the keys: who has another one is told so at its start. Two while a
-- rotation is under way; the newest one seals. swept_at: since then nothing is plain or sealed with an older one.
create table secret_key (
  id         integer generated always as identity primary key,
  mark       text not null unique,
  swept_at   timestamptz,
  created_at timestamptz not null default now()
);

-- Old secrets whose grace is over are emptied; few devices have one.
create index device_old_secret on device (old_secret_until) where old_secret_until > 0;
