-- Products, their thing models with versions, and their message scripts.
create extension if not exists pg_trgm;

create table product (
  product_id    text primary key check (product_id ~ '^[0-9A-Za-z]{11}$'),
  product_name  text not null,
  product_img   text not null default '',
  auth_mode     smallint not null default 1,
  device_type   smallint not null default 1,
  category_id   integer not null default 0,
  net_type      smallint not null default 1,
  data_proto    smallint not null default 1,
  auto_register smallint not null default 1,
  secret        text not null,
  description   text not null default '',
  -- [{"key","value"}], as on the wire.
  tags          jsonb not null default '[]',
  dialect       smallint not null default 0,
  value_days    integer not null default 365,
  log_days      smallint not null default 7,
  rev           integer not null default 1,
  created_at    timestamptz not null default now()
);
create unique index product_name_key on product (product_name);
create index product_tags on product using gin (tags jsonb_path_ops);
create index product_created on product (created_at desc);

-- One row a property, event or action; `definition` is the normalised part of the TSL document.
create table product_function (
  product_id text not null references product (product_id) on delete cascade,
  identifier text not null,
  type       smallint not null check (type between 1 and 3),
  tag        smallint not null default 1,
  position   integer not null,
  definition jsonb not null,
  primary key (product_id, identifier)
);
create index product_function_order on product_function (product_id, position);

-- Every change of the model leaves the whole model as a version.
create table product_model_version (
  product_id text not null references product (product_id) on delete cascade,
  version    integer not null,
  title      text not null,
  user_name  text not null,
  model      jsonb not null,
  created_at timestamptz not null,
  primary key (product_id, version)
);

create table product_script (
  product_id   text primary key references product (product_id) on delete cascade,
  script       text not null default '',
  script_lang  smallint not null default 1,
  custom_topic jsonb not null default '[]',
  draft        text not null default '',
  cases        jsonb not null default '[]',
  published_at timestamptz,
  rev          integer not null default 1
);

insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order, hide_in_menu) values
  (20, 1, '设备管理', 1, '/deviceMangers', '', 'icon_device', '/deviceMangers/product/index', 10, 2),
  (21, 20, '产品', 2, '/deviceMangers/product/index', 'features/products/screens/product-list', 'icon_data_01', '', 1, 2),
  (22, 20, '产品详情', 2, '/deviceMangers/product/detail/:id', 'features/products/screens/product-detail', 'icon_data_01', '', 2, 1);
insert into role_menu (role_id, menu_id) select role.id, menu.id from role, menu where role.id in (1, 2, 3) and menu.id in (20, 21, 22);
