-- What each server tells about itself with its heartbeat (features/devices/heartbeat.ts), for the screen of the cluster.
alter table platform_server add column facts jsonb not null default '{}';
-- Somebody wishes that it has no devices, until it is restored or started again.
alter table platform_server add column drain boolean not null default false;

insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order)
  select 12, 2, '集群', 2, '/systemMangers/cluster/index', './systemMangers/cluster/index', 'icon_cloud_monitor', '', 8
  where exists (select from menu where id = 2) and not exists (select from menu where id = 12);
insert into role_menu (role_id, menu_id) select 1, id from menu where id = 12 and path = '/systemMangers/cluster/index';
