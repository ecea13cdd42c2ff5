-- Programs that know 0044 may run beside this.
-- Passkeys (WebAuthn) of accounts. app_user.passkeys is their number, written with them, so that whoever has the row of a
-- user knows whether the password alone is enough. The handle is what authenticators know the user by: it tells nothing
-- about him, and differs between platforms that share a name (localhost).
alter table app_user
  add column passkeys       integer not null default 0,
  add column passkey_handle uuid not null default gen_random_uuid();

create table passkey (
  id            bigint generated always as identity primary key,
  user_id       bigint not null references app_user on delete cascade,
  name          text not null,
  -- As base64url; chosen by the authenticator.
  credential_id text not null constraint passkey_credential_key unique,
  -- COSE.
  public_key    bytea not null,
  -- How often it was used, where the authenticator counts; else 0.
  counter       bigint not null,
  transports    text[] not null,
  backed_up     boolean not null,
  created_at    timestamptz not null,
  used_at       timestamptz
);
create index passkey_user on passkey (user_id);

-- Asked by any server, answered at any other; deleted by the statement that looks at it.
create table passkey_challenge (
  challenge  text primary key,
  purpose    text not null check (purpose in ('sign-in', 'add', 'verify')),
  -- Null: a sign-in.
  user_id    bigint references app_user on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenge_expires on passkey_challenge (expires_at);
