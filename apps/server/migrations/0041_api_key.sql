-- Programs that know 0040 may run beside this.
-- Keys of programs (docs/api.md). The key itself is never stored.
create table api_key (
  id          bigint generated always as identity primary key,
  name        text not null,
  -- SHA-256: a key has 256 bits of chance, so that nobody finds it by trying.
  hash        bytea not null unique,
  hint        text not null,
  -- Either the person whose rights it has, or the role of a service account.
  user_id     bigint references app_user on delete cascade,
  role_id     bigint references role,
  apis        text[] not null,
  product_id  text not null,
  group_id    bigint not null,
  addresses   text[] not null,
  per_minute  integer not null,
  expires_at  timestamptz,
  created_by  text not null,
  created_at  timestamptz not null default now(),
  used_at     timestamptz,
  used_ip     text not null default '',
  revoked_at  timestamptz,
  rev         integer not null default 1,
  check ((user_id is null) <> (role_id is null))
);
create index api_key_user on api_key (user_id);
create index api_key_role on api_key (role_id);

insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order)
  select 13, 2, 'API 密钥', 2, '/systemMangers/apiKey/index', './systemMangers/apiKey/index', 'icon_ap', '', 9
  where exists (select from menu where id = 2) and not exists (select from menu where id = 13);
insert into role_menu (role_id, menu_id) select 1, id from menu where id = 13 and path = '/systemMangers/apiKey/index';
