-- Operations: the menu rows of online debugging and of the log service (spec 2, /operationsMonitorings).
insert into menu (id, parent_id, name, type, path, component, icon, redirect, sort_order, hide_in_menu) values
  (30, 1, '运维监控', 1, '/operationsMonitorings', '', 'icon_cloud_monitor', '/operationsMonitorings/onlineDebugs/index', 30, 2),
  (31, 30, '在线调试', 2, '/operationsMonitorings/onlineDebugs/index', 'features/debug/screens/online-debug', 'icon_device', '', 1, 2),
  (32, 30, '日志服务', 2, '/operationsMonitorings/logService/index', 'features/debug/screens/log-service', 'icon_data_01', '', 2, 2);
insert into role_menu (role_id, menu_id) select role.id, menu.id from role, menu where role.id in (1, 2, 3) and menu.id between 30 and 32;
