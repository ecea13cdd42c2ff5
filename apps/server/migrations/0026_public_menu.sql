-- Consoles of the public platform load a page by its component: the path of its file, as they have it. Ours finds its
-- screens by the path of the route. Entries that somebody changed stay as they are.
update menu set component = '.' || regexp_replace(path, '(/index)?(/:.*)?$', '') || '/index' where component like 'features/%';
update menu set component = './alarmMangers/alarmRecord/index' where component = './alarmMangers/alarmConfiguration/log/index';

-- Pages of theirs that no menu shows; with ours they belong to the list that leads there.
insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order, hide_in_menu)
  select given.id, shown.parent_id, given.name, 2, given.path, given.component, shown.icon, '', shown.sort_order, 1
  from (values
    (42, 41, '场景详情', '/ruleEngine/scene/detail', './ruleEngine/scene/detail/index'),
    (54, 51, '告警配置详情', '/alarmMangers/alarmConfiguration/save', './alarmMangers/alarmConfiguration/addAlarmConfig/index'),
    (55, 52, '告警日志', '/alarmMangers/alarmConfiguration/log/detail/:id/:level', './alarmMangers/alarmLog/index')
  ) as given (id, list_id, name, path, component) join menu shown on shown.id = given.list_id
  where not exists (select from menu taken where taken.path = given.path);
insert into role_menu (role_id, menu_id)
  select held.role_id, added.id from role_menu held join (values (42, 41), (54, 51), (55, 52)) as added (id, list_id)
    on added.list_id = held.menu_id join menu on menu.id = added.id;
