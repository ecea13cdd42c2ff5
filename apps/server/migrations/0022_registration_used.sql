-- Signed requests by which devices were created: sent once more they create nothing, also when the device was deleted.
create table registration_used (
  request text primary key,
  expires_at timestamptz not null
);
create index registration_used_expiry on registration_used (expires_at);
