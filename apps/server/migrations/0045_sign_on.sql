-- Programs that know 0041 may run beside this.
-- Company sign-on: OpenID Connect providers, who is known by them, and the sessions that began there.

create table sign_on_provider (
  id             integer generated always as identity primary key,
  -- Part of the addresses that are registered at the provider.
  key            text not null unique,
  name           text not null unique,
  name_en        text not null default '',
  issuer         text not null,
  client_id      text not null,
  -- Sealed; '' when the provider knows this client without one.
  client_secret  text not null default '',
  scopes         text not null,
  -- 1 enabled, 2 disabled
  status         smallint not null check (status in (1, 2)),
  user_name_claim text not null,
  nick_name_claim text not null,
  email_claim    text not null,
  create_users   boolean not null,
  -- Null: who fits no rule does not get in.
  default_role   bigint references role on delete set null,
  -- RoleRule[] of the contract, in order.
  rules          jsonb not null default '[]',
  role_each_time boolean not null,
  factor         text not null,
  acr_values     text not null default '',
  end_session    boolean not null,
  rev            integer not null default 1,
  created_at     timestamptz not null default now()
);

-- A subject is a name that the provider never gives to somebody else.
create table user_identity (
  provider_id   integer not null references sign_on_provider on delete cascade,
  subject       text not null,
  user_id       bigint not null references app_user on delete cascade,
  created_at    timestamptz not null default now(),
  last_login_at timestamptz,
  primary key (provider_id, subject),
  constraint user_identity_user_key unique (provider_id, user_id)
);
create index user_identity_user on user_identity (user_id);

-- For signing out at both ends: what the provider calls the session, and its token, which it asks for as a hint.
create table sign_on_session (
  sid          text primary key references user_session on delete cascade,
  provider_id  integer not null references sign_on_provider on delete cascade,
  subject      text not null,
  provider_sid text not null,
  -- Sealed.
  id_token     text not null
);
create index sign_on_session_subject on sign_on_session (provider_id, subject);

-- A sign-in that was begun is finished once, whichever server is asked.
create table sign_on_spent (
  id         text primary key,
  expires_at timestamptz not null
);

insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order)
  select 44, 2, '企业登录', 2, '/systemMangers/signOn/index', './systemMangers/signOn/index', 'icon_system', '', 10
  where exists (select from menu where id = 2) and not exists (select from menu where id = 44);
insert into role_menu (role_id, menu_id) select 1, id from menu where id = 44 and path = '/systemMangers/signOn/index';
